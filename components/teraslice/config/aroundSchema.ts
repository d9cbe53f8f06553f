import * as z from "zod";
import { count, matching, oneOf, strict } from "../../../foundation/schema/fields";
import { list, object, text, texts } from "../../charts/config/podFields";
import { legalName } from "./settings";

/** What may be around a master: ways to its API from outside, what watches it, and its priority. */

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const host = () => matching(HOST, "a host such as teraslice.example.com");

const ingressPath = strict("an object with path, pathType", {
  path: matching(/^\/\S*$/, "a path that begins with /")
    .default("/")
    .describe("Path."),
  pathType: oneOf(["Prefix", "Exact", "ImplementationSpecific"]).default("Prefix").describe("How it is compared."),
});

export const ingressSchema = strict("an object with hosts", {
  className: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of an IngressClass")
    .optional()
    .describe("IngressClass of an existing controller. Default: the cluster's default class."),
  annotations: texts("annotations").default({}).describe("Annotations, for its controller."),
  hosts: z
    .array(
      strict("an object with host", {
        host: host().describe("Host."),
        paths: z
          .array(ingressPath, { error: "a list of {path, pathType}" })
          .min(1, { error: "at least one path" })
          .prefault([{}])
          .describe("Paths of the API on it."),
      }),
      { error: "a list of {host, paths}" },
    )
    .min(1, { error: "at least one host" })
    .describe("Hosts, by which the API is reached."),
  tls: z
    .array(
      strict("an object with secretName, hosts", {
        secretName: legalName().describe("Secret with `tls.crt` and `tls.key`; yours, or its controller's."),
        hosts: z
          .array(host(), { error: "a list of hosts" })
          .default([])
          .describe("Hosts. Default: all that it is for."),
      }),
      { error: "a list of {secretName, hosts}" },
    )
    .default([])
    .describe("Certificates. Without any it is plain HTTP, unless its controller has one."),
});

const objects = (of: string) => list(object(`an object of ${of}`), `objects of ${of}`);

export const httpRouteSchema = strict("an object with parentRefs", {
  annotations: texts("annotations").default({}).describe("Annotations."),
  parentRefs: z
    .array(z.looseObject({ name: text("the name of a Gateway").describe("Name of a Gateway.") }), {
      error: "a list of {name, namespace, sectionName}",
    })
    .min(1, { error: "at least one Gateway" })
    .describe("Gateways that it belongs to; they are there already."),
  hostnames: z
    .array(host(), { error: "a list of hosts" })
    .default([])
    .describe("Hosts. Default: those of the Gateway."),
  rules: objects("matches, filters or timeouts").describe(
    "Rules without `backendRefs`, which is the master. Default: all paths.",
  ),
});

const interval = () => matching(/^[1-9]\d*(ms|s|m|h)$/, "a duration such as 30s");
const scraping = {
  labels: texts("labels").default({}).describe("Labels, by which a Prometheus selects it."),
  annotations: texts("annotations").default({}).describe("Annotations."),
  interval: interval().default("60s").describe("Between two questions."),
  metricRelabelings: objects("sourceLabels, action and so on").describe(
    "Relabelling of metrics before they are stored.",
  ),
  relabelings: objects("sourceLabels, action and so on").describe("Relabelling of targets before they are scraped."),
};

export const serviceMonitorSchema = strict("an object", scraping);

export const podMonitorSchema = strict("an object", {
  ...scraping,
  jobLabel: matching(/\S/, "a label")
    .default("app.kubernetes.io/instance")
    .describe("Label that metrics have as `job`."),
  podTargetLabels: z
    .array(matching(/\S/, "a label"), { error: "a list of labels" })
    .default([
      "app.kubernetes.io/instance",
      "app.kubernetes.io/name",
      "app.kubernetes.io/component",
      "teraslice.terascope.io/jobId",
      "teraslice.terascope.io/jobName",
    ])
    .describe("Labels of pods that their metrics get."),
  matchLabels: texts("labels").default({}).describe("Labels that pods have to have besides being of this cluster."),
});

export const prometheusRuleSchema = strict("an object with rules", {
  labels: texts("labels").default({}).describe("Labels, by which a Prometheus selects it."),
  rules: z
    .array(z.looseObject({ expr: text("an expression").describe("Expression; the rest is Prometheus'.") }), {
      error: "a list of rules",
    })
    .min(1, { error: "at least one rule" })
    .describe("Rules of alerts and records."),
});

export const priorityClassSchema = strict("an object with value, preemptionPolicy", {
  value: count("a whole number from 1 to 1000000000", 1_000_000_000).default(9_999).describe("Priority."),
  preemptionPolicy: oneOf(["Never", "PreemptLowerPriority"])
    .default("Never")
    .describe("Whether pods of less priority make room."),
});

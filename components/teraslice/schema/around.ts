import * as z from "zod";
import { count, matching, oneOf, strict, listOf, list, text, stringMap } from "../../../foundation/schema/fields";
import { object } from "../../charts/config/podFields";
import { legalName } from "./sections";

/** Schema of the objects around a master: external access to its API, monitoring and its priority class. */

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const host = () => matching(HOST, "a host such as teraslice.example.com");

const ingressPath = strict("an object with path, pathType", {
  path: matching(/^\/\S*$/, "a path that begins with /")
    .default("/")
    .describe("Path."),
  pathType: oneOf(["Prefix", "Exact", "ImplementationSpecific"]).default("Prefix").describe("How the path is matched."),
});

export const ingressSchema = strict("an object with hosts", {
  className: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of an IngressClass")
    .optional()
    .describe("IngressClass of an existing controller. Default: the cluster's default class."),
  annotations: stringMap("annotations").default({}).describe("Annotations, for its controller."),
  hosts: listOf(
    strict("an object with host", {
      host: host().describe("Host."),
      paths: listOf(ingressPath, "{path, pathType}")
        .min(1, { error: "at least one path" })
        .prefault([{}])
        .describe("Paths of the API on it."),
    }),
    "{host, paths}",
  )
    .min(1, { error: "at least one host" })
    .describe("Host names of the API."),
  tls: list(
    strict("an object with secretName, hosts", {
      secretName: legalName().describe(
        "Secret with `tls.crt` and `tls.key`, created by you or by the ingress controller.",
      ),
      hosts: list(host(), "hosts").describe("Host names. Default: all names in the certificate."),
    }),
    "{secretName, hosts}",
  ).describe(
    "Certificates. Default: none; the API is served over HTTP unless the ingress controller has a default certificate.",
  ),
});

const objects = (of: string) => list(object(`an object of ${of}`), `objects of ${of}`);

export const httpRouteSchema = strict("an object with parentRefs", {
  annotations: stringMap("annotations").default({}).describe("Annotations."),
  parentRefs: listOf(
    z.looseObject({ name: text("the name of a Gateway").describe("Name of a Gateway.") }),
    "{name, namespace, sectionName}",
  )
    .min(1, { error: "at least one Gateway" })
    .describe("Existing Gateways that the route attaches to."),
  hostnames: list(host(), "hosts").describe("Host names. Default: those of the Gateway."),
  rules: objects("matches, filters or timeouts").describe(
    "Rules without `backendRefs`: the master is the backend. Default: one rule for all paths.",
  ),
});

const interval = () => matching(/^[1-9]\d*(ms|s|m|h)$/, "a duration such as 30s");
const scraping = {
  labels: stringMap("labels").default({}).describe("Labels by which your Prometheus selects it."),
  annotations: stringMap("annotations").default({}).describe("Annotations."),
  interval: interval().default("60s").describe("Scrape interval."),
  metricRelabelings: objects("sourceLabels, action and so on").describe(
    "Relabeling of metrics before they are stored.",
  ),
  relabelings: objects("sourceLabels, action and so on").describe("Relabeling of targets before they are scraped."),
};

export const serviceMonitorSchema = strict("an object", scraping);

export const podMonitorSchema = strict("an object", {
  ...scraping,
  jobLabel: matching(/\S/, "a label")
    .default("app.kubernetes.io/instance")
    .describe("Label of the Service whose value becomes the label `job` of metrics."),
  podTargetLabels: listOf(matching(/\S/, "a label"), "labels")
    .default([
      "app.kubernetes.io/instance",
      "app.kubernetes.io/name",
      "app.kubernetes.io/component",
      "teraslice.terascope.io/jobId",
      "teraslice.terascope.io/jobName",
    ])
    .describe("Pod labels to add to their metrics."),
  matchLabels: stringMap("labels")
    .default({})
    .describe("Labels that pods must have, in addition to those of this cluster."),
});

export const prometheusRuleSchema = strict("an object with rules", {
  labels: stringMap("labels").default({}).describe("Labels by which your Prometheus selects it."),
  rules: listOf(
    z.looseObject({ expr: text("an expression").describe("Expression. All other fields are those of Prometheus.") }),
    "rules",
  )
    .min(1, { error: "at least one rule" })
    .describe("Groups of alerting and recording rules."),
});

export const priorityClassSchema = strict("an object with value, preemptionPolicy", {
  value: count("a whole number from 1 to 1000000000", 1_000_000_000).default(9_999).describe("Priority."),
  preemptionPolicy: oneOf(["Never", "PreemptLowerPriority"])
    .default("Never")
    .describe("Whether pods of lower priority are preempted."),
});

import * as z from "zod";
import { count, flag, matching, oneOf, strict, listOf, list } from "../../../foundation/schema/fields";
import { guardFields } from "../../namespaces/config/schema";
import {
  httpRouteSchema,
  ingressSchema,
  podMonitorSchema,
  priorityClassSchema,
  prometheusRuleSchema,
  serviceMonitorSchema,
} from "./around";
import { connectorsSchema } from "./connectors";
import { masterSchema, workerSchema } from "./pods";
import { image, legalName, sectionSchema, settingsSchema, terafoundationFields } from "./sections";

const cidr = () => matching(/^[0-9a-f.:]+\/\d{1,3}$/, "a CIDR such as 10.0.0.0/16");
const cidrs = () => listOf(cidr(), "CIDRs");
const texts = (of: string) => z.record(z.string(), z.string({ error: "a text" }), { error: `an object of ${of}` });
const port = () => count("a port from 1 to 65535", 65_535);

const service = strict("an object with type", {
  type: oneOf(["ClusterIP", "NodePort", "LoadBalancer"]).default("ClusterIP").describe("Type of the Service."),
  nodePort: count("a port from 30000 to 32767", 32_767)
    .min(30_000, { error: "a port from 30000 to 32767" })
    .optional()
    .describe("Port on nodes, for type `NodePort`. Default: a free port."),
  annotations: texts("annotations").default({}).describe("Annotations, such as those of a load balancer controller."),
});

const networkPolicy = strict("an object", {
  enabled: flag().default(true).describe("`false`: create no NetworkPolicies, so that all traffic is allowed."),
  clientNamespaces: list(legalName(), "namespaces").describe("Other namespaces whose pods may reach the API."),
  clientCidrs: cidrs().default([]).describe("CIDR ranges that may reach the API."),
  apiServerCidrs: cidrs()
    .min(1, { error: "at least one CIDR" })
    .default(["0.0.0.0/0", "::/0"])
    .describe("CIDR ranges of the Kubernetes API server, which the master may reach on ports 443 and 6443."),
  egress: list(
    strict("an object with cidr and ports", {
      cidr: cidr().describe("CIDR range."),
      ports: listOf(port(), "ports").min(1, { error: "at least one port" }).describe("TCP ports."),
    }),
    "{cidr, ports}",
  ).describe("What the master and jobs may reach in addition to DNS, each other and the connectors."),
});

const assetsClaim = strict("an object with sizeGb", {
  sizeGb: count("a whole number of GiB from 1").describe("Size in GiB. It may grow."),
  accessMode: oneOf(["ReadWriteMany", "ReadWriteOnce"])
    .default("ReadWriteMany")
    .describe("Access mode. Use `ReadWriteOnce` only if all pods run on one node."),
  storageClass: matching(/^[a-z0-9.-]+$/, "the name of a storage class")
    .optional()
    .describe("Default: the cluster's default one."),
});

/** Fields of the key `teraslice` besides its jobs. */
export const clusterFields = {
  enabled: flag().default(true).describe("`false` disables it. The preview lists what is deleted with it."),
  image: image()
    .optional()
    .describe("Image of the master. Default: `settings.kubernetes_image`, else `teraslice:k8sdev`."),
  createNamespace: flag()
    .default(false)
    .describe("`true`: the platform creates the namespace, and deletes it with its content when Teraslice is removed."),
  ...guardFields,
  rbac: oneOf(["least", "original"])
    .default("least")
    .describe(
      "`least`: a service account with only the permissions that a master needs. `original`: all permissions in the namespace for the service account `default`, for masters that require it.",
    ),
  imagePullSecrets: list(legalName(), "Secrets").describe("Image pull secrets of the master and of jobs."),
  master: masterSchema.prefault({}).describe("The master's pod."),
  worker: workerSchema.prefault({}).describe("Job pods, in addition to `settings` and the fields of each job."),
  priorityClass: priorityClassSchema
    .optional()
    .describe(
      "Creates a PriorityClass `teraslice-<CLUSTER_NAME>` for the master, execution controllers and stateful workers, instead of `settings.kubernetes_priority_class_name`.",
    ),
  service: service.prefault({}).describe("The master's Service."),
  ingress: ingressSchema.optional().describe("Creates an Ingress to the API. Default: none."),
  httpRoute: httpRouteSchema
    .optional()
    .describe("Creates an HTTPRoute to the API, for the Gateway API. Default: none."),
  serviceMonitor: serviceMonitorSchema
    .optional()
    .describe("Creates a ServiceMonitor of the master, for the Prometheus operator. Default: none."),
  podMonitor: podMonitorSchema
    .optional()
    .describe("Creates a PodMonitor of job pods, for the Prometheus operator. Default: none."),
  prometheusRule: prometheusRuleSchema
    .optional()
    .describe("Creates a PrometheusRule, for the Prometheus operator. Default: none."),
  networkPolicy: networkPolicy.prefault({}).describe("Network policies."),
  assetsClaim: assetsClaim
    .optional()
    .describe(
      "Creates the claim `settings.assets_volume`, by default `<CLUSTER_NAME>-assets`. It is deleted with Teraslice.",
    ),
  timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
    .default(300)
    .describe("Seconds until the master must be ready."),
  settings: settingsSchema
    .prefault({})
    .describe(
      "Section `teraslice` of the configuration, with the field names that Teraslice documents. Times are in milliseconds.",
    ),
  terafoundation: sectionSchema("an object with connectors", {
    ...terafoundationFields,
    connectors: connectorsSchema.describe("Connections by type and name."),
  }).describe("Section `terafoundation` of the configuration."),
};

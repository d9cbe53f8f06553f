import { count, flag, positive, strict, list, stringMap } from "../../../foundation/schema/fields";
import { extraPodFields, labels, named, object, toleration } from "../../charts/config/podFields";

/** Schema of the master's pod, and of additional fields of jobs' pods. */

/** Overrides of the two configuration sections, for the master or for pods of jobs. */
const sections = (whose: string) => ({
  settings: object("an object of Teraslice's settings")
    .default({})
    .describe(`Settings of ${whose} configuration that override \`settings\`.`),
  terafoundation: object("an object of terafoundation's settings")
    .default({})
    .describe(`Settings of ${whose} configuration that override \`terafoundation\`, such as \`log_level\`.`),
});

const account = (whose: string) =>
  strict("an object with annotations", {
    annotations: stringMap("annotations")
      .default({})
      .describe(`Annotations, such as \`eks.amazonaws.com/role-arn\` for ${whose} access to S3.`),
  });

export const masterSchema = strict("an object with cpu, memoryMb", {
  cpu: positive("a number of CPUs above 0", 1000).default(0.5).describe("CPU request, in CPUs."),
  cpuLimit: positive("a number of CPUs above 0", 1000).optional().describe("CPU limit, in CPUs. Default: no limit."),
  memoryMb: count("a whole number of MiB from 1").default(2_048).describe("Memory request and limit, in MiB."),
  nodeSelector: labels().default({}).describe("Labels of the nodes that it may run on."),
  tolerations: list(toleration, "tolerations").describe("Tolerations: taints of nodes that it may run on."),
  affinity: object("an object with nodeAffinity, podAffinity or podAntiAffinity")
    .optional()
    .describe("Affinity, as in a Kubernetes pod."),
  evictable: flag()
    .default(false)
    .describe(
      "`true`: the autoscaler may remove its node. `false`: it may not; only a drain, such as an upgrade of the nodes, evicts the pod.",
    ),
  ...extraPodFields("the master's"),
  serviceAccount: account("the master's").prefault({}).describe("Service account of the master, with `rbac: least`."),
  ...sections("the master's"),
});

export const workerSchema = strict("an object with envFrom, initContainers, serviceAccount", {
  envFrom: list(object("an object with secretRef or configMapRef"), "objects with secretRef or configMapRef").describe(
    "Secrets and ConfigMaps whose keys all become environment variables of job pods. For single variables, use `settings.env_vars`.",
  ),
  initContainers: list(named("a container, which is an object with name"), "containers").describe(
    "Init containers of job pods. With `restartPolicy: Always` they are sidecar containers.",
  ),
  serviceAccount: account("jobs'")
    .optional()
    .describe(
      "Creates a service account without permissions for jobs. Default: jobs use the service account `default`.",
    ),
  ...sections("the jobs'"),
});

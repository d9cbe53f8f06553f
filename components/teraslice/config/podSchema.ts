import * as z from "zod";
import { count, flag, matching, oneOf, positive, strict } from "../../../foundation/schema/fields";
import { extraPodFields, list, named, object, texts } from "../../charts/config/podFields";

/** The master's pod, and what pods of jobs have besides what a master gives them. */

const toleration = strict("an object with key, operator, value, effect", {
  key: matching(/\S/, "the key of a taint").optional().describe("Key of the taint. Default: any."),
  operator: oneOf(["Equal", "Exists"]).optional().describe("Default: `Equal`."),
  value: z.string({ error: "a text" }).optional().describe("Value of the taint."),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional().describe("Default: all."),
});

/** What the master and pods of jobs may each have of the two sections of the configuration. */
const sections = (whose: string) => ({
  settings: object("an object of Teraslice's settings")
    .default({})
    .describe(`What ${whose} configuration has instead of \`settings\`.`),
  terafoundation: object("an object of terafoundation's settings")
    .default({})
    .describe(`What ${whose} configuration has instead of \`terafoundation\`, such as \`log_level\`.`),
});

const account = (whose: string) =>
  strict("an object with annotations", {
    annotations: texts("annotations")
      .default({})
      .describe(`Annotations, such as \`eks.amazonaws.com/role-arn\` for ${whose} access to S3.`),
  });

export const masterSchema = strict("an object with cpu, memoryMb", {
  cpu: positive("a number of CPUs above 0", 1000).default(0.5).describe("CPUs that it has for certain."),
  cpuLimit: positive("a number of CPUs above 0", 1000).optional().describe("CPUs at most. Default: no limit."),
  memoryMb: count("a whole number of MiB from 1").default(2_048).describe("Memory in MiB; request and limit."),
  nodeSelector: texts("labels").default({}).describe("Labels of its node."),
  tolerations: z.array(toleration, { error: "a list of tolerations" }).default([]).describe("Taints of its node."),
  affinity: object("an object with nodeAffinity, podAffinity or podAntiAffinity")
    .optional()
    .describe("Affinity, in the words of Kubernetes."),
  evictable: flag()
    .default(false)
    .describe(
      "`true`: the autoscaler may take its node away. `false`: only a drain does, such as an upgrade of the nodes.",
    ),
  ...extraPodFields("the master's"),
  serviceAccount: account("the master's").prefault({}).describe("The master's account, with `rbac: least`."),
  ...sections("the master's"),
});

export const workerSchema = strict("an object with envFrom, initContainers, serviceAccount", {
  envFrom: list(object("an object with secretRef or configMapRef"), "objects with secretRef or configMapRef").describe(
    "Secrets and ConfigMaps whose keys are all variables of pods of jobs; texts by name are `settings.env_vars`.",
  ),
  initContainers: list(named("a container, which is an object with name"), "containers").describe(
    "Containers before those of jobs. With `restartPolicy: Always` they run beside them.",
  ),
  serviceAccount: account("jobs'")
    .optional()
    .describe("Creates a service account without rights for jobs. Default: jobs run as `default`."),
  ...sections("the jobs'"),
});

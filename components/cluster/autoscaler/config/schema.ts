import * as z from "zod";
import { minor, region } from "../../eks/config/fields";
import {
  checked,
  count,
  duration,
  flag,
  matching,
  oneOf,
  positive,
  strict,
} from "../../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../../charts/config/helm";

/** The keys of `clusterAutoscaler`, as its author writes them. */

/** Go has no look-around and no references; the autoscaler ignores the whole list for one pattern that it can't read. */
function isGoPattern(pattern: string): boolean {
  if (!/\S/.test(pattern) || /\(\?(<?[=!])|\\[1-9]/.test(pattern)) return false;
  try {
    return Boolean(new RegExp(pattern.replace(/\(\?P</g, "(?<").replace(/^\(\?[imsU]+\)/, "")));
  } catch {
    return false;
  }
}

const text = () => z.string({ error: "a text" });

const cluster = strict("an object with name, region, version", {
  name: matching(/^[0-9A-Za-z][\w-]{0,99}$/, "the name of a cluster on EKS").describe("Its name, as in its ARN."),
  region: region().describe("Its region."),
  version: minor().describe("Its Kubernetes minor."),
  roleArn: matching(/^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/\S+$/, "the ARN of a role")
    .optional()
    .describe("Role that its service account gets (IRSA). Default: Pod Identity gives it one."),
});

const scaleDown = strict("an object", {
  enabled: flag().default(true).describe("Whether unneeded nodes are removed."),
  unneededFor: duration().default("10m").describe("How long a node has to be unneeded first."),
  delayAfterAdd: duration().default("10m").describe("How long to wait after adding a node before nodes are removed."),
  utilizationThreshold: positive("a number above 0, up to 1", 1)
    .default(0.5)
    .describe("Share of a node that pods may ask for at most, for it to count as unneeded."),
  nodesWithLocalStorage: flag()
    .default(false)
    .describe("Whether nodes go whose pods keep data on them (`emptyDir`, `hostPath`)."),
  nodesWithSystemPods: flag()
    .default(false)
    .describe("Whether nodes go on which pods of kube-system run that no disruption budget covers."),
  maxGracefulTerminationSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
    .default(600)
    .describe("Seconds that pods get to end at most."),
});

export const autoscalerSchema = strict("an object", {
  enabled: flag().default(true).describe("`false` disables it; the number of nodes stays."),
  optional: flag().default(false).describe("Whether it is skipped if its chart can't be fetched."),
  cluster: cluster
    .optional()
    .describe("The EKS cluster whose nodes it scales; only for `type: existing` without `eks`."),
  image: strict("an object with repository, tag", {
    repository: matching(/^[a-z0-9][\w.:\/-]*[\w]$/, "an image without tag")
      .optional()
      .describe("Image without tag, on a mirror. Default: the upstream one."),
    tag: matching(/^v?\d+\.\d+\.\d+[\w.-]*$/, "a tag such as v1.35.1")
      .optional()
      .describe("Tag; its minor is the cluster's. Default: the one in the table of tags."),
  })
    .prefault({})
    .describe("Its image."),
  replicas: count("a whole number from 1 to 5", 5).default(1).describe("Pods; one of them leads."),
  expander: z
    .array(oneOf(["least-waste", "most-pods", "priority", "random"]), { error: "a list of expanders" })
    .min(1, { error: "at least one expander" })
    .default(["least-waste"])
    .describe("How a pool is chosen where several fit: `least-waste`, `most-pods`, `priority`, `random`, in order."),
  priorities: z
    .record(
      matching(/^[1-9]\d{0,5}$/, "a whole number from 1"),
      z.array(
        checked("a regular expression that Go can read", (text) => (isGoPattern(text) ? undefined : ""), /\S/),
        { error: "a list of regular expressions" },
      ),
      { error: "an object of lists by priority" },
    )
    .default({})
    .describe("For the expander `priority`: regular expressions of group names by priority, the highest number first."),
  balanceSimilarGroups: flag()
    .default(true)
    .describe("Whether groups that differ in their zone only are kept equally large."),
  scaleDown: scaleDown.prefault({}).describe("When nodes are removed."),
  maxNodeProvisionTime: duration().default("15m").describe("When a node that does not come is given up."),
  scanInterval: duration().default("10s").describe("How often it looks."),
  cpu: positive("a number of CPUs above 0", 64).default(0.1).describe("CPUs that it has for certain."),
  memoryMb: count("a whole number of MB from 64", 65_536).default(600).describe("Memory in MB; also its limit."),
  serviceMonitor: z
    .record(text(), text(), { error: "an object of labels" })
    .optional()
    .describe(
      "Labels of a ServiceMonitor for the Prometheus operator. Default: none; pods are annotated for scraping anyway.",
    ),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe("The cluster-autoscaler, for a cluster on EKS.");

export type AutoscalerInput = z.output<typeof autoscalerSchema>;

import * as z from "zod";
import { minor, region } from "../../cluster/onEks/fields";
import {
  checkedText,
  count,
  duration,
  flag,
  matching,
  oneOf,
  positive,
  strict,
  listOf,
} from "../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../charts/config/helm";

/** Schema of the key `clusterAutoscaler`. */

/**
 * The release, its workload and its service account, which the role's trust policy names. Critical priority classes are
 * always permitted in this namespace.
 */
export const AUTOSCALER = { release: "cluster-autoscaler", namespace: "kube-system" } as const;

/**
 * Go's regular expressions have no lookaround and no backreferences. The autoscaler ignores the whole list if one
 * pattern is invalid.
 */
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
  name: matching(/^[0-9A-Za-z][\w-]{0,99}$/, "the name of a cluster on EKS").describe(
    "Name of the cluster, as in its ARN.",
  ),
  region: region().describe("Region of the cluster."),
  version: minor().describe("Kubernetes minor version of the cluster."),
  roleArn: matching(/^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/, "the ARN of a role")
    .optional()
    .describe("IAM role for its service account (IRSA). Default: a role through Pod Identity."),
});

const scaleDown = strict("an object", {
  enabled: flag().default(true).describe("`true`: remove unneeded nodes."),
  unneededFor: duration().default("10m").describe("How long a node must be unneeded before it is removed."),
  delayAfterAdd: duration().default("10m").describe("How long no node is removed after one was added."),
  utilizationThreshold: positive("a number above 0, up to 1", 1)
    .default(0.5)
    .describe("A node counts as unneeded if its pods request less than this share of it."),
  nodesWithLocalStorage: flag()
    .default(false)
    .describe("`true`: also remove nodes with pods that have local data (`emptyDir`, `hostPath`)."),
  nodesWithSystemPods: flag()
    .default(false)
    .describe("`true`: also remove nodes with pods of kube-system without a PodDisruptionBudget."),
  maxGracefulTerminationSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
    .default(600)
    .describe("Maximum number of seconds that pods get to terminate."),
});

export const autoscalerSchema = strict("an object", {
  enabled: flag().default(true).describe("`false` disables it. The number of nodes stays the same."),
  optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
  cluster: cluster
    .optional()
    .describe("The EKS cluster whose nodes it scales. Only for a cluster of type `existing` without `eks`."),
  image: strict("an object with repository, tag", {
    repository: matching(/^[a-z0-9][\w.:\/-]*[\w]$/, "an image without tag")
      .optional()
      .describe("Image without tag, such as one on a mirror. Default: the upstream image."),
    tag: matching(/^v?\d+\.\d+\.\d+[\w.-]*$/, "a tag such as v1.35.1")
      .optional()
      .describe("Tag. Its minor version must be the cluster's. Default: the tested tag for that minor version."),
  })
    .prefault({})
    .describe("Image of the autoscaler."),
  replicas: count("a whole number from 1 to 5", 5).default(1).describe("Number of pods; one of them is the leader."),
  expander: listOf(oneOf(["least-waste", "most-pods", "priority", "random"]), "expanders")
    .min(1, { error: "at least one expander" })
    .default(["least-waste"])
    .describe(
      "How to choose among pools that fit, in order of preference: `least-waste`, `most-pods`, `priority`, `random`.",
    ),
  priorities: z
    .record(
      matching(/^[1-9]\d{0,5}$/, "a whole number from 1"),
      listOf(
        checkedText("a regular expression that Go can read", (text) => (isGoPattern(text) ? undefined : ""), /\S/),
        "regular expressions",
      ),
      { error: "an object of lists by priority" },
    )
    .default({})
    .describe("For the expander `priority`: regular expressions of group names by priority. The highest number wins."),
  balanceSimilarGroups: flag()
    .default(true)
    .describe("`true`: keep groups that differ only in their zone at the same size."),
  scaleDown: scaleDown.prefault({}).describe("When to remove nodes."),
  maxNodeProvisionTime: duration()
    .default("15m")
    .describe("How long to wait for a new node before another group is tried."),
  scanInterval: duration().default("10s").describe("How often it checks for pending pods and unneeded nodes."),
  cpu: positive("a number of CPUs above 0", 64).default(0.1).describe("CPU request, in CPUs."),
  memoryMb: count("a whole number of MB from 64", 65_536).default(600).describe("Memory request and limit, in MB."),
  serviceMonitor: z
    .record(text(), text(), { error: "an object of labels" })
    .optional()
    .describe(
      "Labels of a ServiceMonitor for the Prometheus operator. Default: no ServiceMonitor. Pods always have annotations for scraping.",
    ),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe("The Kubernetes cluster-autoscaler, for a cluster on EKS.");

export type AutoscalerInput = z.output<typeof autoscalerSchema>;

/** The EKS cluster whose nodes are scaled. */
export type ScaledCluster = Omit<z.output<typeof cluster>, "version">;

/** Decoded config of the cluster-autoscaler, with all defaults. */
export interface AutoscalerSettings extends Omit<AutoscalerInput, "cluster" | "image"> {
  readonly cluster: ScaledCluster;
  readonly image: { readonly repository: string; readonly tag: string };
}

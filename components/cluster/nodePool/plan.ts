/** Everything about a node pool that follows from its entry in the config, so that the parts can't diverge. Pure. */

import { LIMITS, limited } from "../awsNames";
import { instanceType } from "./instanceType";

/** Label of the nodes of a pool, with its name. */
export const POOL_LABEL = "stackyard.dev/node-pool";

export interface Taint {
  readonly key: string;
  /** Default: none. */
  readonly value?: string;
  readonly effect: "NoSchedule" | "NoExecute" | "PreferNoSchedule";
}

/** Nodes of one kind. */
export interface NodePoolConfig {
  readonly instanceTypes: readonly string[];
  readonly capacity: "onDemand" | "spot";
  readonly min: number;
  readonly max: number;
  /** Number of nodes when the pool is made; the autoscaler's business afterwards. */
  readonly desired: number;
  readonly diskGb: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly os: "al2023" | "bottlerocket";
  /** One group in each zone, which workloads with EBS volumes need to scale where their volume is. */
  readonly perZone: boolean;
  /** Kubernetes minor, such as 1.35. Default: the cluster's. */
  readonly version?: string;
  /**
   * Release of the image: the newest that there is at each update, or the recorded one. Default: the newest when the group is
   * made or gets another minor, and that one from then on.
   */
  readonly ami?: "latest" | "pinned";
  /** How many nodes an update may remove at once, in percent. */
  readonly maxUnavailablePercent: number;
  /** Whether an update continues where a disruption budget does not let a node be drained. */
  readonly forceUpdate: boolean;
  /** ARN of the KMS key of the disks. Default: the account's key for EBS. */
  readonly diskKey?: string;
  /** Security groups besides the cluster's own. */
  readonly securityGroupIds: readonly string[];
  /** What nodes read when they start, as EKS takes it: MIME parts, or settings of Bottlerocket. */
  readonly userData?: string;
  /** When the autoscaler takes nodes of it away, where that differs from what it does elsewhere. */
  readonly scaleDown?: {
    /** Shares from 0 to 1. */
    readonly utilizationThreshold?: number;
    readonly gpuUtilizationThreshold?: number;
    /** Durations such as 10m. */
    readonly unneededFor?: string;
    readonly unreadyFor?: string;
  };
  /** Who schedules on it although it is tainted, for a pool that no component of the platform uses. */
  readonly toleratedBy?: string;
}

/** The pool that the cluster-autoscaler runs on: always there, never scaled away. */
export const AUTOSCALER_TAINT: Taint = { key: "dedicated", value: "clusterAutoscaler", effect: "NoSchedule" };

export const isAutoscalers = ({ key, value }: Pick<Taint, "key" | "value">): boolean =>
  key === AUTOSCALER_TAINT.key && value === AUTOSCALER_TAINT.value;

const EFFECTS = { NoSchedule: "NO_SCHEDULE", NoExecute: "NO_EXECUTE", PreferNoSchedule: "PREFER_NO_SCHEDULE" } as const;

/** A taint as EKS spells it. */
export const awsTaint = ({ key, value, effect }: Taint) => ({
  key,
  ...(value === undefined ? {} : { value }),
  effect: EFFECTS[effect],
});

/** Image of the pool's nodes, from its system and its instance types, which all are of one architecture. */
export function amiType({ os, instanceTypes }: Pick<NodePoolConfig, "os" | "instanceTypes">): string {
  const types = instanceTypes.map(instanceType);
  const arm = types.some((type) => type?.architecture === "arm64");
  const gpu = types.some((type) => type?.gpu);
  if (os === "bottlerocket") return `BOTTLEROCKET_${arm ? "ARM_64" : "x86_64"}${gpu ? "_NVIDIA" : ""}`;
  if (gpu) return arm ? "AL2023_ARM_64_NVIDIA" : "AL2023_x86_64_NVIDIA";
  return arm ? "AL2023_ARM_64_STANDARD" : "AL2023_x86_64_STANDARD";
}

/** Device of the volume on which Bottlerocket has its system; its size is the image's. */
export const SYSTEM_DEVICE = "/dev/xvda";

/** Device of the data volume. Bottlerocket keeps its system on another one. */
export const dataDevice = (os: NodePoolConfig["os"]): string => (os === "bottlerocket" ? "/dev/xvdb" : "/dev/xvda");

/** Labels of the nodes: the user's, the pool's name, and what keeps the autoscaler from adding too many GPU nodes. */
export function nodeLabels(name: string, pool: NodePoolConfig): Record<string, string> {
  const gpu = pool.instanceTypes.map((type) => [type, instanceType(type)?.gpu] as const).find(([, has]) => has)?.[0];
  const dedicated = pool.taints.find(({ key }) => key === "dedicated")?.value;
  return {
    [POOL_LABEL]: name,
    ...(dedicated === undefined ? {} : { dedicated }),
    ...(gpu === undefined ? {} : { "k8s.amazonaws.com/accelerator": gpu.split(".")[0]! }),
    ...pool.labels,
  };
}

/** The autoscaler's words, in which the options of one group are tags; one that it can't read it omits silently. */
function scaleDownOptions({ scaleDown = {} }: NodePoolConfig): Record<string, string> {
  const options = {
    scaledownutilizationthreshold: scaleDown.utilizationThreshold,
    scaledowngpuutilizationthreshold: scaleDown.gpuUtilizationThreshold,
    scaledownunneededtime: scaleDown.unneededFor,
    scaledownunreadytime: scaleDown.unreadyFor,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Tags by which the autoscaler finds the group, and knows what a node would be like while there is none. */
export function autoscalingTags(cluster: string, name: string, pool: NodePoolConfig): Record<string, string> {
  const template = "k8s.io/cluster-autoscaler/node-template";
  return {
    "k8s.io/cluster-autoscaler/enabled": "true",
    [`k8s.io/cluster-autoscaler/${cluster}`]: "owned",
    ...Object.fromEntries(
      Object.entries(nodeLabels(name, pool)).map(([key, value]) => [`${template}/label/${key}`, value]),
    ),
    ...Object.fromEntries(
      pool.taints.map(({ key, value = "", effect }) => [`${template}/taint/${key}`, `${value}:${effect}`]),
    ),
    [`${template}/resources/ephemeral-storage`]: `${pool.diskGb}Gi`,
    ...Object.fromEntries(
      Object.entries(scaleDownOptions(pool)).map(([name, value]) => [`${template}/autoscaling-options/${name}`, value]),
    ),
  };
}

/** Beginning of the group's name; AWS appends what makes it unique, so that a replacement can stand beside the old one. */
export const groupPrefix = (cluster: string, name: string, zone: number | undefined): string =>
  // 26 characters are appended to a prefix.
  `${limited(zone === undefined ? `${cluster}-${name}` : `${cluster}-${name}-${zone}`, LIMITS.nodeGroup - 27)}-`;

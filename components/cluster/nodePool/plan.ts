/** Derives all properties of a node pool from its config, so that they are consistent. Pure. */

import { LIMITS, limited } from "../awsNames";
import { instanceType } from "./instanceType";

/** Label of nodes with the name of their pool. */
export const POOL_LABEL = "stackyard.dev/node-pool";

export interface Taint {
  readonly key: string;
  /** Default: none. */
  readonly value?: string;
  readonly effect: "NoSchedule" | "NoExecute" | "PreferNoSchedule";
}

/** Decoded config of a node pool. */
export interface NodePoolConfig {
  readonly instanceTypes: readonly string[];
  readonly capacity: "onDemand" | "spot" | "capacityBlock";
  readonly min: number;
  readonly max: number;
  /** Number of nodes on creation. The autoscaler changes it afterwards. */
  readonly desired: number;
  readonly diskGb: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly os: "al2023" | "bottlerocket";
  /** One group per zone, so that a workload with an EBS volume can scale in the zone of the volume. */
  readonly perZone: boolean;
  /** Kubernetes minor version, such as 1.35. Default: the cluster's. */
  readonly version?: string;
  /**
   * Release of the node image: `latest` at each update, or the recorded one. Default: the latest when the group is
   * created or gets another minor version, and fixed from then on.
   */
  readonly ami?: "latest" | "pinned";
  /** Maximum share of nodes that an update removes at once, in percent. */
  readonly maxUnavailablePercent: number;
  /** Whether an update continues if a disruption budget blocks draining a node. */
  readonly forceUpdate: boolean;
  /** ARN of the KMS key for the disks. Default: the account's default key for EBS. */
  readonly diskKey?: string;
  /** Security groups in addition to the cluster's own. */
  readonly securityGroupIds: readonly string[];
  /** User data in the format of EKS: MIME parts, or Bottlerocket settings. */
  readonly userData?: string;
  /** Availability zones. Default: all of the cluster. */
  readonly zones?: readonly string[];
  /** Subnets of an existing VPC. Default: those of the cluster. */
  readonly subnetIds?: readonly string[];
  /** Id of an own image, built from that of EKS for `os`. Default: the image of EKS. */
  readonly amiId?: string;
  /** Whether the image of EKS has FIPS modules. */
  readonly fips?: boolean;
  /** Capacity reservations, or the Capacity Block. A node group has one at most. */
  readonly capacityReservationIds?: readonly string[];
  /** Strategy of the placement group that is created for the pool. */
  readonly placement?: "cluster" | "partition" | "spread";
  /** Whether the network cards of the nodes are Elastic Fabric Adapters. */
  readonly efa?: boolean;
  /** How local NVMe disks are used. Default: not at all. */
  readonly localStorage?: "RAID0";
  /** When the autoscaler removes nodes of this pool, if it differs from the cluster-wide settings. */
  readonly scaleDown?: {
    /** Shares from 0 to 1. */
    readonly utilizationThreshold?: number;
    readonly gpuUtilizationThreshold?: number;
    /** Durations such as `10m`. */
    readonly unneededFor?: string;
    readonly unreadyFor?: string;
  };
  /** Workloads that tolerate its taints, for a pool that no component of the platform uses. */
  readonly toleratedBy?: string;
}

/** Taint of the pool for the cluster-autoscaler, which is never scaled to zero. */
export const AUTOSCALER_TAINT: Taint = { key: "dedicated", value: "clusterAutoscaler", effect: "NoSchedule" };

export const isAutoscalers = ({ key, value }: Pick<Taint, "key" | "value">): boolean =>
  key === AUTOSCALER_TAINT.key && value === AUTOSCALER_TAINT.value;

const EFFECTS = { NoSchedule: "NO_SCHEDULE", NoExecute: "NO_EXECUTE", PreferNoSchedule: "PREFER_NO_SCHEDULE" } as const;

/** Converts a taint to the EKS API. */
export const awsTaint = ({ key, value, effect }: Taint) => ({
  key,
  ...(value === undefined ? {} : { value }),
  effect: EFFECTS[effect],
});

/** AMI type of the pool's nodes. All its instance types have the same architecture. */
export function amiType({ os, instanceTypes, fips }: Pick<NodePoolConfig, "os" | "instanceTypes" | "fips">): string {
  const types = instanceTypes.map(instanceType);
  const arm = types.some((type) => type?.architecture === "arm64");
  const gpu = types.some((type) => type?.accelerator === "gpu");
  if (os === "bottlerocket")
    return `BOTTLEROCKET_${arm ? "ARM_64" : "x86_64"}${gpu ? "_NVIDIA" : ""}${fips ? "_FIPS" : ""}`;
  if (types.some((type) => type?.accelerator === "neuron")) return "AL2023_x86_64_NEURON";
  if (gpu) return arm ? "AL2023_ARM_64_NVIDIA" : "AL2023_x86_64_NVIDIA";
  return arm ? "AL2023_ARM_64_STANDARD" : "AL2023_x86_64_STANDARD";
}

/** Device of Bottlerocket's system volume. The image determines its size. */
export const SYSTEM_DEVICE = "/dev/xvda";

/** Device of the data volume. Bottlerocket has a separate system volume. */
export const dataDevice = (os: NodePoolConfig["os"]): string => (os === "bottlerocket" ? "/dev/xvdb" : "/dev/xvda");

/**
 * Labels of the nodes: the user's, the pool's name, and the one that prevents the autoscaler from adding too many GPU
 * nodes.
 */
export function nodeLabels(name: string, pool: NodePoolConfig): Record<string, string> {
  const gpu = pool.instanceTypes
    .map((type) => [type, instanceType(type)?.accelerator] as const)
    .find(([, has]) => has === "gpu")?.[0];
  const dedicated = pool.taints.find(({ key }) => key === "dedicated")?.value;
  return {
    [POOL_LABEL]: name,
    ...(dedicated === undefined ? {} : { dedicated }),
    ...(gpu === undefined ? {} : { "k8s.amazonaws.com/accelerator": gpu.split(".")[0]! }),
    ...pool.labels,
  };
}

/** The autoscaler's options per group, which are tags. It silently ignores invalid ones. */
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

/** Tags by which the autoscaler finds the group, and predicts its nodes while it has none. */
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

/** Prefix of the group's name. AWS appends a unique suffix, so that a replacement can coexist with the old group. */
export const groupPrefix = (cluster: string, name: string, zone: number | undefined): string =>
  // The suffix has 26 characters.
  `${limited(zone === undefined ? `${cluster}-${name}` : `${cluster}-${name}-${zone}`, LIMITS.nodeGroup - 27)}-`;

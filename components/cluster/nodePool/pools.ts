/** Which node pools of a cluster are node groups, and which are pools of Karpenter. Pure. */

import type { NodePoolConfig } from "./plan";

/** Who adds and removes nodes: managed node groups with the cluster-autoscaler, Karpenter, or EKS itself. */
export type NodesMode = "managed" | "karpenter" | "auto";

/** Name of the node group that Karpenter runs on, and whatever else must not wait for Karpenter. */
export const KARPENTER_POOL = "karpenter";

type Pools = Readonly<Record<string, NodePoolConfig>>;

interface Scaled {
  readonly nodes: NodesMode;
  readonly nodePools: Pools;
}

const pick = (pools: Pools, fits: (name: string) => boolean): Pools =>
  Object.fromEntries(Object.entries(pools).filter(([name]) => fits(name)));

/** Those that are managed node groups. */
export function nodeGroups({ nodes, nodePools }: Scaled): Pools {
  if (nodes === "managed") return nodePools;
  return nodes === "auto" ? {} : pick(nodePools, (name) => name === KARPENTER_POOL);
}

/** Those that are NodePools of Karpenter, which runs in the cluster or belongs to EKS Auto Mode. */
export function claimedPools({ nodes, nodePools }: Scaled): Pools {
  if (nodes === "managed") return {};
  return nodes === "auto" ? nodePools : pick(nodePools, (name) => name !== KARPENTER_POOL);
}

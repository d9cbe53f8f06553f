/** Determines which node pools are node groups and which are Karpenter's. Pure. */

import type { NodePoolConfig } from "./plan";

/** What adds and removes nodes: managed node groups with the cluster-autoscaler, Karpenter, or EKS Auto Mode. */
export type NodesMode = "managed" | "karpenter" | "auto";

/** Name of the node group for Karpenter and everything else that must not depend on Karpenter's nodes. */
export const KARPENTER_POOL = "karpenter";

/** IngressClass that EKS Auto Mode serves. */
export const AUTO_INGRESS_CLASS = "alb";

type Pools = Readonly<Record<string, NodePoolConfig>>;

interface Scaled {
  readonly nodes: NodesMode;
  readonly nodePools: Pools;
}

const pick = (pools: Pools, fits: (name: string) => boolean): Pools =>
  Object.fromEntries(Object.entries(pools).filter(([name]) => fits(name)));

/** Pools that are managed node groups. */
export function nodeGroups({ nodes, nodePools }: Scaled): Pools {
  if (nodes === "managed") return nodePools;
  return nodes === "auto" ? {} : pick(nodePools, (name) => name === KARPENTER_POOL);
}

/** Pools that are NodePools of Karpenter or of EKS Auto Mode. */
export function claimedPools({ nodes, nodePools }: Scaled): Pools {
  if (nodes === "managed") return {};
  return nodes === "auto" ? nodePools : pick(nodePools, (name) => name !== KARPENTER_POOL);
}

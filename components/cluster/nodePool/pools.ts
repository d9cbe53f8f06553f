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

/** Whether the pool of this name is a managed node group. */
export const isNodeGroup = (nodes: NodesMode, name: string): boolean =>
  nodes === "managed" || (nodes === "karpenter" && name === KARPENTER_POOL);

/** Pools that are managed node groups. */
export const nodeGroups = ({ nodes, nodePools }: Scaled): Pools => pick(nodePools, (name) => isNodeGroup(nodes, name));

/** Pools that are NodePools of Karpenter or of EKS Auto Mode. */
export const claimedPools = ({ nodes, nodePools }: Scaled): Pools =>
  pick(nodePools, (name) => !isNodeGroup(nodes, name));

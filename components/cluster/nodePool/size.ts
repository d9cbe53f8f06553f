/** How many nodes a group that runs is to have. Pure. */

import type { StateResource } from "../../resources/ownState";
import type { NodePoolConfig } from "./plan";

/** A node group as the state of the stack has it; its number of nodes may have changed since. */
export interface RunningGroup {
  readonly clusterName: string;
  readonly nodeGroupName: string;
  readonly min: number;
  readonly max: number;
}

const GROUP = "aws:eks/nodeGroup:NodeGroup";

/** The node groups of a stack's state, by the name of their resource. */
export function runningGroups(state: Readonly<Record<string, StateResource>>): Record<string, RunningGroup> {
  const groups = Object.entries(state).filter(([, { type }]) => type === GROUP);
  return Object.fromEntries(
    groups.flatMap(([urn, { outputs }]) => {
      const { clusterName, nodeGroupName, scalingConfig } = outputs as {
        clusterName?: string;
        nodeGroupName?: string;
        scalingConfig?: { minSize?: number; maxSize?: number };
      };
      const { minSize: min, maxSize: max } = scalingConfig ?? {};
      if (clusterName === undefined || nodeGroupName === undefined || min === undefined || max === undefined) return [];
      return [[urn.slice(urn.lastIndexOf("::") + 2), { clusterName, nodeGroupName, min, max }]];
    }),
  );
}

/** EKS takes new bounds only together with a number of nodes, which then becomes true at once. */
export const boundsChange = (running: RunningGroup | undefined, { min, max }: NodePoolConfig): boolean =>
  running !== undefined && (running.min !== min || running.max !== max);

/** As many nodes as there are, or the nearest number that the new bounds allow. */
export const withinBounds = (current: number, { min, max }: NodePoolConfig): number =>
  Math.min(Math.max(current, min), max);

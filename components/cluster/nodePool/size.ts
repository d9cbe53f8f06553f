/** Computes the size of an existing node group. Pure. */

import type { StateResource } from "../../resources/ownState";
import type { NodePoolConfig } from "./plan";

/** A node group according to the stack's state. Its size may have changed since. */
export interface RunningGroup {
  readonly clusterName: string;
  readonly nodeGroupName: string;
  readonly min: number;
  readonly max: number;
}

const GROUP = "aws:eks/nodeGroup:NodeGroup";

/** The node groups in a stack's state, by resource name. */
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

/** Whether the bounds change. EKS accepts new bounds only together with a size, which takes effect immediately. */
export const boundsChange = (running: RunningGroup | undefined, { min, max }: NodePoolConfig): boolean =>
  running !== undefined && (running.min !== min || running.max !== max);

/** The current size, limited to the new bounds. */
export const withinBounds = (current: number, { min, max }: NodePoolConfig): number =>
  Math.min(Math.max(current, min), max);

import { POOL_LABEL } from "../cluster/nodePool/plan";
import type { Placement } from "./settings";

/** As much of a node pool as pods must know. */
export interface Pool {
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Pods with this placement run in the pool and nowhere else, whatever its taints; the own one is added. */
export function placeInPool(name: string, pool: Pool, own: Placement): Placement {
  const tolerations = pool.taints.map(({ key, value, effect }) =>
    value === undefined || value === ""
      ? { key, operator: "Exists", effect }
      : { key, operator: "Equal", value, effect },
  );
  return {
    nodeSelector: { [POOL_LABEL]: name, ...own.nodeSelector },
    tolerations: [...tolerations, ...own.tolerations],
  };
}

import { POOL_LABEL } from "../cluster/nodePool/plan";
import type { Placement } from "./settings";

/** The properties of a node pool that affect pods. */
export interface Pool {
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Places pods in a node pool and tolerates its taints. Adds the placement `own`. */
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

/** Determines the pools whose pods lose work when they are moved: heads of Ray clusters and Teraslice masters. Pure. */

import type { PlatformConfig } from "../../platform/config/platformConfig";
import type { EksConfig } from "../eks/eksConfig";
import { placedPods, poolsFor } from "../nodePool/placedPods";

type Platform = Pick<PlatformConfig, "ray" | "teraslice" | "terasliceClusters">;

/**
 * Adds the pools whose nodes are removed only when empty. The annotation for the cluster-autoscaler protects such pods
 * without blocking upgrades; Karpenter's annotation would block them too.
 */
export function withSteadyPools(config: EksConfig, { ray, teraslice, terasliceClusters }: Platform): EksConfig {
  const heads = placedPods({ ...(ray && { ray }) }).filter(({ path }) => path.endsWith(".head"));
  const masters = [...(teraslice ? [teraslice] : []), ...Object.values(terasliceClusters)].flatMap(({ master }) =>
    master.evictable ? [] : [master],
  );
  const steadyPools = new Set([...heads, ...masters].flatMap((pod) => poolsFor(pod, config.nodePools)));
  return { ...config, steadyPools: [...steadyPools].sort() };
}

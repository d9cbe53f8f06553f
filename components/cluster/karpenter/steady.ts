/** Which pools have pods that a move costs work: heads of Ray clusters, and masters of Teraslice. Pure. */

import type { PlatformConfig } from "../../platform/config/platformConfig";
import type { EksConfig } from "../eks/eksConfig";
import { placedPods, poolsFor } from "../nodePool/placedPods";

type Platform = Pick<PlatformConfig, "ray" | "teraslice" | "terasliceClusters">;

/**
 * The config with the pools whose nodes go only when they are empty. The cluster-autoscaler knows such pods by an annotation that does not
 * stop upgrades; the one that Karpenter has would stop those as well.
 */
export function withSteadyPools(config: EksConfig, { ray, teraslice, terasliceClusters }: Platform): EksConfig {
  const heads = placedPods({ ...(ray && { ray }) }).filter(({ path }) => path.endsWith(".head"));
  const masters = [...(teraslice ? [teraslice] : []), ...Object.values(terasliceClusters)].flatMap(({ master }) =>
    master.evictable ? [] : [master],
  );
  const steadyPools = new Set([...heads, ...masters].flatMap((pod) => poolsFor(pod, config.nodePools)));
  return { ...config, steadyPools: [...steadyPools].sort() };
}

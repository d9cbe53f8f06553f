import type { Issue } from "./issue";
import type { ClusterRequest } from "./shape";

/** Checks the zones of a cluster's nodes, and whether its pools are large enough for them. Pure. */

function zonesOf({ providerSpecificConfig = {} }: ClusterRequest): readonly string[] {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = providerSpecificConfig;
  if (azureConfig) return azureConfig.azureZones?.map(({ name }) => String(name)) ?? azureConfig.zones ?? [];
  if (awsConfig) return awsConfig.awsZones?.map(({ name }) => name) ?? [];
  return (gcpConfig ?? openStackConfig)?.zones ?? [];
}

interface Pool {
  readonly path: Issue["path"];
  readonly zones: readonly string[];
  readonly most: number | undefined;
}

/**
 * Gardener spreads system components over all zones of a pool, so at least one pool must be able to have a node in each
 * zone.
 */
export function zoneIssues(cluster: ClusterRequest): Issue[] {
  const own = zonesOf(cluster);
  const pools: Pool[] = [
    { path: ["autoScalerMax"], zones: own, most: cluster.autoScalerMax },
    ...(cluster.workerPools ?? []).map((pool, index) => ({
      path: ["workerPools", index, "autoScalerMax"],
      zones: pool.zones ?? own,
      most: pool.autoScalerMax,
    })),
  ];
  const isEnough = ({ zones, most }: Pool): boolean => most === undefined || most >= zones.length;
  const keyOf = ({ zones }: Pool): string => zones.toSorted().join(" ");
  const enough = new Set(pools.filter((pool) => pool.most !== 0 && isEnough(pool)).map(keyOf));
  return pools
    .filter((pool) => pool.most !== 0 && !isEnough(pool) && !enough.has(keyOf(pool)))
    .map(({ path, zones }) => ({ path, expected: `at least ${zones.length}, one node for each zone` }));
}

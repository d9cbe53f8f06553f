import type { Path } from "../../../../foundation/schema/faults";
import type { Issue } from "./issue";
import type { ClusterRequest } from "./shape";

/** Checks the zones of a cluster's nodes, and whether its pools are large enough for them. Pure. */

function zonesOf({ providerSpecificConfig = {} }: ClusterRequest): readonly string[] {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = providerSpecificConfig;
  if (azureConfig) return azureConfig.azureZones?.map(({ name }) => String(name)) ?? azureConfig.zones ?? [];
  if (awsConfig)
    return awsConfig.awsZones?.map(({ name }) => name) ?? [awsConfig.zone].filter((zone) => zone !== undefined);
  return (gcpConfig ?? openStackConfig)?.zones ?? [];
}

interface Pool {
  readonly path: Issue["path"];
  readonly zones: readonly string[];
  readonly most: number | undefined;
}

interface Zone {
  readonly path: Path;
  readonly name: string;
}

/** Every zone that the request names in one list, with its path. */
function zoneLists({ providerSpecificConfig = {}, workerPools = [] }: ClusterRequest): (readonly Zone[])[] {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = providerSpecificConfig;
  const own = (block: string, field: string, names: readonly unknown[] = [], key: readonly string[] = []): Zone[] =>
    names.map((name, index) => ({
      path: ["providerSpecificConfig", block, field, index, ...key],
      name: String(name),
    }));
  const namesOf = (zones: readonly { readonly name: unknown }[] = []): unknown[] => zones.map(({ name }) => name);
  return [
    own("gcpConfig", "zones", gcpConfig?.zones),
    own("azureConfig", "zones", azureConfig?.zones),
    own("azureConfig", "azureZones", namesOf(azureConfig?.azureZones), ["name"]),
    own("awsConfig", "awsZones", namesOf(awsConfig?.awsZones), ["name"]),
    own("openStackConfig", "zones", openStackConfig?.zones),
    ...workerPools.map(({ zones = [] }, pool) =>
      zones.map((name, index) => ({ path: ["workerPools", pool, "zones", index], name })),
    ),
  ];
}

const repeated = (zones: readonly Zone[]): Issue[] =>
  zones
    .filter(({ name }, index) => zones.findIndex((other) => other.name === name) < index)
    .map(({ path }) => ({ path, expected: "a zone that is not named before" }));

/** Checks the zones of a cluster, as far as they are set. */
export const zoneIssues = (cluster: ClusterRequest): Issue[] => [
  ...zoneLists(cluster).flatMap(repeated),
  ...(cluster.workerPools ?? []).flatMap(({ zones }, index) =>
    placeIssues(cluster, zones, ["workerPools", index, "zones"]),
  ),
  ...roomIssues(cluster),
];

/**
 * Gardener spreads system components over all zones of a pool, so at least one pool must be able to have a node in each
 * zone.
 */
function roomIssues(cluster: ClusterRequest): Issue[] {
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

/** Zones that need subnets have them only in the cluster's settings, and a cluster without zones has none. */
function placeIssues(cluster: ClusterRequest, zones: readonly string[] | undefined, path: Path): Issue[] {
  const { azureConfig, awsConfig } = cluster.providerSpecificConfig ?? {};
  const own = zonesOf(cluster);
  if (zones === undefined) return [];
  if (azureConfig && own.length === 0) return [{ path, expected: "nothing: the cluster has no zones" }];
  if (!azureConfig?.azureZones && !awsConfig) return [];
  return zones.every((zone) => own.includes(zone))
    ? []
    : [{ path, expected: `zones of the cluster: ${own.join(", ")}` }];
}

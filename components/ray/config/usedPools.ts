import { isObject } from "../../../foundation/json/isObject";
import { parseTaint } from "../../cluster/nodePool/taint";
import { DEFAULT_POOL } from "../clusters";

/** Pools with the taint that Ray's pods tolerate: `dedicated=<pool>`. From values that were not checked. */
export function usedPools({ ray, cluster }: Readonly<Record<string, unknown>>): string[] {
  if (!isObject(ray) || !isObject(cluster) || !isObject(cluster["nodePools"])) return [];
  const tolerated = new Set(Object.values(ray).flatMap(poolsOfCluster));
  return Object.entries(cluster["nodePools"]).flatMap(([name, pool]) => {
    const taints: unknown[] = isObject(pool) && Array.isArray(pool["taints"]) ? pool["taints"].map(parseTaint) : [];
    const isOurs = (taint: unknown) => isObject(taint) && taint["key"] === "dedicated" && tolerated.has(taint["value"]);
    return taints.some(isOurs) ? [name] : [];
  });
}

/** The pools that a Ray cluster uses, explicitly or by default. */
function poolsOfCluster(cluster: unknown): unknown[] {
  if (!isObject(cluster) || cluster["enabled"] === false) return [];
  const { pool = DEFAULT_POOL, head, workerGroups } = cluster;
  const pods = [head, ...(isObject(workerGroups) ? Object.values(workerGroups) : [])];
  return [pool, ...pods.map((pod) => isObject(pod) && pod["pool"])];
}

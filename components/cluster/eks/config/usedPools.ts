import { DEFAULT_POOL } from "../../../ray/clusters";
import { parseTaint } from "./taint";
import { isObject } from "../../../../foundation/json/isObject";

/**
 * Node pools in which components of the config run pods: all values of keys `nodePool`, and the pools of Ray.
 * Components tolerate the taints of the pools that they name.
 */
export function usedPools(config: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const found = new Set(poolsOfRay(config));
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isObject(value)) return;
    if (typeof value["nodePool"] === "string") found.add(value["nodePool"]);
    Object.values(value).forEach(look);
  };
  look(config);
  return found;
}

/** Pools with the taint that Ray's pods tolerate: `dedicated=<pool>`. */
function poolsOfRay({ ray, cluster }: Readonly<Record<string, unknown>>): string[] {
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

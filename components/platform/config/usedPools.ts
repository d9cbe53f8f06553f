import { isObject } from "../../../foundation/json/isObject";
import type { Feature } from "../../feature";
import { FEATURES } from "../../features";

/**
 * Node pools in which components of the config run pods: all values of keys `nodePool`, and what features know.
 * Components tolerate the taints of the pools that they name.
 */
export function usedPools(values: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const features: readonly Feature[] = FEATURES;
  const found = new Set(features.flatMap((one) => one.usedPools?.(values) ?? []));
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isObject(value)) return;
    if (typeof value["nodePool"] === "string") found.add(value["nodePool"]);
    Object.values(value).forEach(look);
  };
  look(values);
  return found;
}

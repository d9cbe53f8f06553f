import { isRecord } from "../takeProvisioners";

/**
 * Node pools that some component of the config puts pods into: whatever stands under a key `nodePool`. Components
 * tolerate the taints of the pools that they name.
 */
export function usedPools(config: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isRecord(value)) return;
    if (typeof value["nodePool"] === "string") found.add(value["nodePool"]);
    Object.values(value).forEach(look);
  };
  look(config);
  return found;
}

import { isObject } from "../../../foundation/json/isObject";
/** An object of plain JSON. */
export type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Merges `over` into `under` like a master merges a `pod_spec_override` into a pod: objects key by key, lists by
 * position, everything else is replaced, also by null.
 */
export function mergeOverride(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (Array.isArray(over)) {
    const list: readonly unknown[] = Array.isArray(under) ? under : [];
    return [...over.map((each, index) => mergeOverride(list[index], each)), ...list.slice(over.length)];
  }
  if (!isObject(over)) return over;
  const merged: Record<string, unknown> = isObject(under) ? { ...under } : {};
  for (const [key, value] of Object.entries(over)) {
    // A master ignores this key too.
    if (key !== "__proto__") merged[key] = mergeOverride(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

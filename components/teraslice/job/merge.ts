import { isObject } from "../../../foundation/json/isObject";
/** An object of plain JSON. */
export type JsonMap = Readonly<Record<string, unknown>>;

/**
 * `over` laid on `under` the way a master lays a `pod_spec_override` on a pod: objects key by key, lists by position,
 * everything else replaced, by null too.
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
    // As a key of JSON it would be a prototype here, which a master does not take either.
    if (key !== "__proto__") merged[key] = mergeOverride(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

/**
 * Whether a live object is unchanged since it was applied, according to its managed fields, so that most objects of a
 * refresh need no dry run. True is certain; false means that the API server must be asked. Pure.
 */

import { isDeepStrictEqual } from "node:util";
import { FIELD_MANAGER } from "../../../../kubernetes/client/client";
import { isList, listAt, without, type KubeObject } from "../../../../kubernetes/objects/objects";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/** True if we still own every applied field, each has its value, and we own no other fields. */
export function isAsApplied(live: KubeObject, applied: KubeObject): boolean {
  const entry = listAt(live, "metadata", "managedFields").find(
    ({ manager, operation, subresource }) =>
      manager === FIELD_MANAGER && operation === "Apply" && subresource === undefined,
  );
  // The paths refer to the version in which the object was applied.
  if (entry?.["apiVersion"] !== applied.apiVersion || !isObject(entry["fieldsV1"])) return false;
  // The name is not a managed field.
  const fields = without(applied, "apiVersion", "kind");
  return agree(entry["fieldsV1"], { ...fields, metadata: without(applied.metadata, "name", "namespace") }, live);
}

/**
 * `owned` in the format of managedFields: `f:` and a field, `k:` and the keys of an item, `v:` and an item of a set.
 */
function agree(owned: Json, applied: unknown, live: unknown): boolean {
  const parts = Object.keys(owned).filter((part) => part !== ".");
  // Managed fields have no deeper level here.
  if (parts.length === 0) return isDeepStrictEqual(applied, live);
  if (isObject(applied) && isObject(live)) {
    return (
      parts.length === Object.keys(applied).length &&
      parts.every((part) => {
        const key = part.slice(2);
        const below = owned[part];
        if (!part.startsWith("f:") || !Object.hasOwn(applied, key)) return false;
        // The API server drops empty values.
        if (!Object.hasOwn(live, key)) return isDeepStrictEqual(applied[key], {});
        return isObject(below) && agree(below, applied[key], live[key]);
      })
    );
  }
  return isList(applied) && isList(live) && parts.length === applied.length && itemsAgree(owned, parts, applied, live);
}

/** Items are matched by their keys, and must be in the order in which they were applied. */
function itemsAgree(owned: Json, parts: readonly string[], applied: readonly unknown[], live: readonly unknown[]) {
  const places = new Map<number, number>();
  for (const part of parts) {
    const own = owned[part];
    const key = JSON.parse(part.slice(2)) as unknown;
    const [here, there] = [placesOf(part, key, applied, true), placesOf(part, key, live, false)];
    const [at, to] = [here[0], there[0]];
    if (here.length !== 1 || there.length !== 1 || at === undefined || to === undefined || !isObject(own)) return false;
    if (part.startsWith("k:") && !agree(own, applied[at], live[to])) return false;
    places.set(at, to);
  }
  const order = applied.map((_item, index) => places.get(index) ?? -1);
  return order.every((place, index) => place >= 0 && (index === 0 || place > (order[index - 1] ?? -1)));
}

/** Keys that an item omits have their defaults. */
function placesOf(part: string, key: unknown, items: readonly unknown[], isApplied: boolean): number[] {
  const isIt = (item: unknown): boolean => {
    if (part.startsWith("v:")) return item === key;
    if (!part.startsWith("k:") || !isObject(key) || !isObject(item)) return false;
    return Object.entries(key).every(([name, value]) => item[name] === value || (isApplied && !(name in item)));
  };
  return items.flatMap((item, index) => (isIt(item) ? [index] : []));
}

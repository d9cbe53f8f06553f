/** Updates a Shoot that another user created, and keeps all fields that the config does not change. Pure. */

import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../foundation/json/isObject";
import type { KubeObject } from "../objects/objects";

/**
 * The Shoot to apply: the live specification with the changes between `old`, the previous desired Shoot, and `next`,
 * the new one. Labels and annotations are those of `next`, since server-side apply never removes those of other
 * managers.
 */
export function changeOnly(old: KubeObject, next: KubeObject, live: KubeObject): KubeObject {
  return { ...next, spec: merged(old["spec"], next["spec"], live["spec"]) };
}

function merged(old: unknown, next: unknown, live: unknown): unknown {
  if (isDeepStrictEqual(old, next)) return live;
  if (isObject(next) && isObject(live)) return mergedObject(isObject(old) ? old : {}, next, live);
  if (isItems(next) && isItems(live)) return mergedItems(isItems(old) ? old : [], next, live);
  return next;
}

function mergedObject(old: Json, next: Json, live: Json): Json {
  const result: Json = { ...live };
  for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const value = merged(old[key], next[key], live[key]);
    if (value === undefined) delete result[key];
    else result[key] = value;
  }
  return result;
}

type Item = Json & { readonly [key: string]: unknown };

/** Identifies an item of a list: pools and zones by name, extensions by type. */
const idOf = ({ name, type }: Item): unknown => name ?? type;

const isItems = (value: unknown): value is readonly Item[] =>
  Array.isArray(value) && value.every((item) => isObject(item) && idOf(item) !== undefined);

/** Existing items keep their position; new ones come last. */
function mergedItems(old: readonly Item[], next: readonly Item[], live: readonly Item[]): unknown[] {
  const find = (items: readonly Item[], like: Item) => items.find((item) => idOf(item) === idOf(like));
  const stay = live.flatMap((item) => {
    const [before, after] = [find(old, item), find(next, item)];
    if (before !== undefined && after === undefined) return [];
    return [after === undefined ? item : merged(before, after, item)];
  });
  const added = next.filter((item) => find(live, item) === undefined && find(old, item) === undefined);
  return [...stay, ...added];
}

/** A field whose live value differs from the desired one. */
export interface Differing {
  readonly path: string;
  readonly is: unknown;
  readonly would: unknown;
}

/** Fields of a live Shoot that differ from the desired one. Ignores fields that only the live Shoot has. */
export function differencesOf(live: unknown, wanted: unknown, path = ""): Differing[] {
  if (isDeepStrictEqual(live, wanted)) return [];
  const at = (key: string): string =>
    /^[\w-]+$/.test(key) ? [path, key].filter(Boolean).join(".") : `${path}["${key}"]`;
  if (isObject(wanted) && isObject(live)) {
    return Object.entries(wanted).flatMap(([key, value]) => differencesOf(live[key], value, at(key)));
  }
  if (isItems(wanted) && isItems(live)) {
    return wanted.flatMap((item) => {
      const same = live.find((one) => idOf(one) === idOf(item));
      return differencesOf(same, item, `${path}[${String(idOf(item))}]`);
    });
  }
  // The API server drops empty objects.
  if (live === undefined && isObject(wanted) && Object.keys(wanted).length === 0) return [];
  return [{ path, is: live, would: wanted }];
}

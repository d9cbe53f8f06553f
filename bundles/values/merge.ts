/** Merges the values of a release from several places. */

import { isObject, type Json } from "../../foundation/json/isObject";

/** Later values win. Objects are merged by key; any other value is replaced, as in Helm. */
export function mergeValues(...layers: readonly Json[]): Json {
  const merged = new Map<string, unknown>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const before = merged.get(key);
      merged.set(key, isObject(before) && isObject(value) ? mergeValues(before, value) : value);
    }
  }
  // Not by assignment, because a key may be __proto__.
  return Object.fromEntries(merged);
}

export const hasValues = (values: Json): boolean => Object.keys(values).length > 0;

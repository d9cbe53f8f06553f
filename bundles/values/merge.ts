/** Values of a release, put together from several places. */

import { isObject, type Json } from "../../foundation/json/isObject";

/** Later ones win; objects are merged key by key, anything else takes the place of what was there, as Helm has it. */
export function mergeValues(...layers: readonly Json[]): Json {
  const merged = new Map<string, unknown>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const before = merged.get(key);
      merged.set(key, isObject(before) && isObject(value) ? mergeValues(before, value) : value);
    }
  }
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(merged);
}

export const hasValues = (values: Json): boolean => Object.keys(values).length > 0;

import type { Json } from "./isObject";

export type Values = Readonly<Record<string, unknown>>;

/**
 * Whether a value is merged key by key. Everything else, such as a list, a date or a Pulumi output, is replaced as a
 * whole.
 */
function isMap(value: unknown): value is Values {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Merges values like Helm, later ones over earlier ones: maps key by key; everything else is replaced, also by null. */
export function mergeValues(...layers: readonly Values[]): Json {
  const merged = new Map<string, unknown>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const before = merged.get(key);
      merged.set(key, isMap(before) && isMap(value) ? mergeValues(before, value) : value);
    }
  }
  // Avoids assignment by key, because a key may be `__proto__`.
  return Object.fromEntries(merged);
}

/** Removes undefined values at any depth, because a diff would show them. */
export function compact(values: Values): Json {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, isMap(value) ? compact(value) : value]],
    ),
  );
}

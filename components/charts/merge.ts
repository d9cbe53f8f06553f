export type Values = Readonly<Record<string, unknown>>;

/** Whether a value is merged key by key. Lists, strings and Pulumi outputs are replaced as a whole. */
const isMap = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Merges `over` into `under` like Helm: maps key by key; everything else is replaced, also by null. */
export function mergeValues(under: Values, over: Values): Record<string, unknown> {
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? mergeValues(before, value) : value);
  }
  // Avoids assignment by key, because a key may be `__proto__`.
  return Object.fromEntries(merged);
}

/** Removes undefined values at any depth, because a diff would show them. */
export function compact(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, isMap(value) ? compact(value) : value]],
    ),
  );
}

export type Values = Readonly<Record<string, unknown>>;

/** Whether a value is merged key by key; a list, a text and an output of Pulumi are taken whole. */
const isMap = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** `over` laid on `under` the way Helm does it: maps key by key, everything else replaced, null included. */
export function mergeValues(under: Values, over: Values): Record<string, unknown> {
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? mergeValues(before, value) : value);
  }
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(merged);
}

/** Without keys that are undefined, at any depth, because a diff would show them. */
export function compact(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, isMap(value) ? compact(value) : value]],
    ),
  );
}

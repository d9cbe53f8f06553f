/** An object of plain JSON. */
export type JsonMap = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * `over` laid on `under` the way a master lays a `pod_spec_override` on a pod: objects key by key, lists by position,
 * everything else replaced, by null too.
 */
export function mergeOverride(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isContainer(over)) return over;
  const merged = copyFor(under, over);
  for (const [key, value] of Object.entries(over)) {
    // As a key of JSON it would be a prototype here, which a master does not take either.
    if (key !== "__proto__") merged[key] = mergeOverride(merged[key], value);
  }
  return merged;
}

/** What the values of `over` are put into: a list goes into a list only, an object into either. */
function copyFor(under: unknown, over: object): Record<string, unknown> {
  const copy: unknown = Array.isArray(under)
    ? [...(under as unknown[])]
    : Array.isArray(over)
      ? []
      : { ...(isContainer(under) ? under : {}) };
  return copy as Record<string, unknown>;
}

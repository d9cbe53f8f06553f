/** The checks for an upgrade of a CustomResourceDefinition. Each one can be allowed by its name. */

export const CHECKS = {
  storedVersionRemoved: "a version in which objects are stored is removed",
  servedVersionRemoved: "a version that clients use is no longer served",
  scopeChanged: "the scope changes between namespaced and cluster-scoped",
  namesChanged: "the kind or the resource is renamed",
  conversionChanged: "the conversion between versions changes",
  subresourceRemoved: "the subresource status or scale is removed",
  fieldRemoved: "a field is removed, and objects lose its value",
  unknownFieldsDropped: "unknown fields are no longer preserved",
  typeChanged: "the type of a field changes",
  enumNarrowed: "the allowed values of a field are restricted",
  boundsNarrowed: "the range of a number is narrowed",
  lengthsNarrowed: "the length limits of a text, list or map are narrowed",
  patternChanged: "the pattern or format of a text changes",
  requiredFieldAdded: "an optional field becomes required and has no default",
  nullableRemoved: "a field can no longer be null",
  defaultChanged: "the default of a field changes",
  ruleAdded: "a validation rule is added or changes",
  mergeChanged: "the merge strategy of a list or map changes",
  unknownChange: "a change that is not known to be safe",
} as const;

export type Check = keyof typeof CHECKS;

export const isCheck = (text: string): text is Check => Object.hasOwn(CHECKS, text);

/** A violation: something that an upgrade would break. */
export interface Violation {
  readonly check: Check;
  /** Name of the CRD. */
  readonly crd: string;
  /** `v1`, or `v1 → v2` if objects of one version are read as the other; undefined for what all versions share. */
  readonly version?: string;
  /** Path in the objects, such as `^.spec.list[*].f`; undefined for violations outside of the schema. */
  readonly path?: string;
  readonly was: string;
  readonly becomes: string;
  /** The complete expression of a new validation rule. */
  readonly rule?: string;
}

/**
 * Formats a finding as `widgets.example.com v1 ^.spec.f: …: it was integer, it would be string (…)`; `advice` is the
 * last part.
 */
export function findingText({ check, crd, version, path, was, becomes }: Violation, advice: string): string {
  const place = [crd, version, path].filter((part) => part !== undefined).join(" ");
  return `${place}: ${CHECKS[check]}: it was ${was}, it would be ${becomes} (${advice})`;
}

const LONGEST = 120;

/** A value for a message, truncated if long. */
export function shortValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

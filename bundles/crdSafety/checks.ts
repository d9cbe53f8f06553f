/** The checks of an upgrade of a CustomResourceDefinition. Each can be allowed by its name. */

export const CHECKS = {
  storedVersionRemoved: "a version that objects are stored in goes",
  servedVersionRemoved: "a version that clients use is no longer served",
  scopeChanged: "objects move into namespaces or out of them",
  namesChanged: "the kind or the resource is called otherwise",
  conversionChanged: "versions are converted in another way",
  subresourceRemoved: "status or scale goes",
  fieldRemoved: "a field goes, with what objects hold in it",
  unknownFieldsDropped: "fields without a schema are no longer kept",
  typeChanged: "a field has another type",
  enumNarrowed: "a field may be only one of some values, or of fewer",
  boundsNarrowed: "a number has a narrower range",
  lengthsNarrowed: "a text, list or map may be less long or less short",
  patternChanged: "a text has to look otherwise",
  requiredFieldAdded: "an optional field became required, and has no default",
  nullableRemoved: "a field can't be null any more",
  defaultChanged: "a missing field has another default",
  ruleAdded: "a validation rule comes or changes",
  mergeChanged: "two appliers of one list or map are merged otherwise",
  unknownChange: "something changed of which it is not known whether it is safe",
} as const;

export type Check = keyof typeof CHECKS;

export const isCheck = (text: string): text is Check => Object.hasOwn(CHECKS, text);

/** What an upgrade would break. */
export interface Finding {
  readonly check: Check;
  /** Name of the CRD. */
  readonly crd: string;
  /** `v1`, or `v1 → v2` where objects of one are read as the other; undefined for what all versions have in common. */
  readonly version?: string;
  /** `^.spec.list[*].f` in the objects; undefined for what is not a part of them. */
  readonly path?: string;
  readonly was: string;
  readonly becomes: string;
  /** The whole expression of a validation rule that comes. */
  readonly rule?: string;
}

/** `widgets.example.com v1 ^.spec.f: …: it was integer, it would be string (…)`; `advice` is the end. */
export function findingText({ check, crd, version, path, was, becomes }: Finding, advice: string): string {
  const place = [crd, version, path].filter((part) => part !== undefined).join(" ");
  return `${place}: ${CHECKS[check]}: it was ${was}, it would be ${becomes} (${advice})`;
}

const LONGEST = 120;

/** A value for a person, cut where it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

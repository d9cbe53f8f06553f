/** Findings that affect none of the existing objects. Pure. */

import { type KubeObject } from "../../kubernetes/objects/objects";
import type { Check, Violation } from "./checks";
import type { Crd } from "./crd";
import { ruleHolds } from "./heldRules";
import { isSharedPattern } from "./sharedPattern";
import { valuesAt, keysOf, schemaAt } from "./objectPaths";
import { defaulted, type InvalidObject } from "./validate";

/** Violations that the API server always rejects, whatever objects exist. */
const NEVER: ReadonlySet<Check> = new Set(["storedVersionRemoved", "scopeChanged", "namesChanged"]);

/** Violations that don't affect objects that match the new schema. */
const BY_SCHEMA: ReadonlySet<Check> = new Set([
  ...(["fieldRemoved", "unknownFieldsDropped", "typeChanged", "enumNarrowed", "boundsNarrowed"] as const),
  ...(["lengthsNarrowed", "patternChanged", "requiredFieldAdded", "nullableRemoved"] as const),
]);

/** Violations that only affect objects with a value at the finding's path. */
const BY_PRESENCE: ReadonlySet<Check> = new Set(["ruleAdded", "mergeChanged", "patternChanged"]);

/** Patterns that mean something else in Go than in JavaScript were not checked against the objects. */
const isUnread = ({ check, becomes }: Violation): boolean => check === "patternChanged" && !isReadable(becomes);

function isReadable(becomes: string): boolean {
  const [, quoted] = /^pattern (".*")$/.exec(becomes) ?? [];
  if (quoted === undefined) return false;
  try {
    return isSharedPattern(JSON.parse(quoted));
  } catch {
    // Truncated in the message.
    return false;
  }
}

/** Whether a finding affects none of these objects. `invalid`: those that don't match the new CRD. */
export function isHarmless(
  finding: Violation,
  live: readonly KubeObject[],
  invalid: readonly InvalidObject[],
  next: Crd,
): boolean {
  if (NEVER.has(finding.check)) return false;
  if (live.length === 0) return true;
  if (BY_SCHEMA.has(finding.check) && !isUnread(finding)) return invalid.length === 0;
  const keys = finding.path === undefined ? undefined : keysOf(finding.path);
  if (keys === undefined) return false;
  if (BY_PRESENCE.has(finding.check))
    return !live.some((object) => valuesAt(object, keys).length > 0) || isKept(finding, keys, live, next);
  // A default does not affect objects that set the field.
  const last = keys.at(-1);
  const parents = live.flatMap((object) => valuesAt(object, keys.slice(0, -1)));
  return (
    finding.check === "defaultChanged" && last !== undefined && parents.every((one) => valuesAt(one, [last]).length > 0)
  );
}

/** Whether a new rule holds for the objects, with the defaults that the server applies first. */
function isKept({ rule, version = "" }: Violation, keys: string[], live: readonly KubeObject[], next: Crd): boolean {
  const read = version.slice(version.lastIndexOf(" ") + 1);
  const schema = next.versions.find(({ name }) => name === read)?.schema;
  const there = schema && schemaAt(schema, keys);
  if (rule === undefined || schema === undefined || there === undefined) return false;
  const complete = defaulted(schema, live);
  return complete !== undefined && ruleHolds(rule, there, valuesAt(complete, ["*", ...keys]));
}

/** Findings that affect none of the existing objects. Pure. */

import { type KubeObject } from "../../kubernetes/client/objects";
import type { Check, Finding } from "./checks";
import type { Crd } from "./crd";
import { ruleHolds } from "./heldRules";
import { isSharedPattern } from "./sharedPattern";
import { at, keysOf, schemaAt } from "./objectPaths";
import { defaulted, type InvalidObject } from "./validate";

/** What no look at objects can clear: the API server takes none of it. */
const NEVER: ReadonlySet<Check> = new Set(["storedVersionRemoved", "scopeChanged", "namesChanged"]);

/** What an object that fits the new schema has nothing to fear of. */
const BY_SCHEMA: ReadonlySet<Check> = new Set([
  ...(["fieldRemoved", "unknownFieldsDropped", "typeChanged", "enumNarrowed", "boundsNarrowed"] as const),
  ...(["lengthsNarrowed", "patternChanged", "requiredFieldAdded", "nullableRemoved"] as const),
]);

/** What matters only where an object has something at the path of the finding. */
const BY_PRESENCE: ReadonlySet<Check> = new Set(["ruleAdded", "mergeChanged", "patternChanged"]);

/** Formats, and expressions of Go that JavaScript does not have, nobody here has held against the objects. */
const isUnread = ({ check, becomes }: Finding): boolean => check === "patternChanged" && !isReadable(becomes);

function isReadable(becomes: string): boolean {
  const [, quoted] = /^pattern (".*")$/.exec(becomes) ?? [];
  if (quoted === undefined) return false;
  try {
    return isSharedPattern(JSON.parse(quoted));
  } catch {
    // Cut in the message.
    return false;
  }
}

/** Whether a finding harms none of these objects, of which `invalid` do not fit the new CRD. */
export function isHarmless(
  finding: Finding,
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
    return !live.some((object) => at(object, keys).length > 0) || isKept(finding, keys, live, next);
  // What an object says itself no default changes.
  const last = keys.at(-1);
  const parents = live.flatMap((object) => at(object, keys.slice(0, -1)));
  return finding.check === "defaultChanged" && last !== undefined && parents.every((one) => at(one, [last]).length > 0);
}

/** Whether a new rule is true of the objects, with the defaults that the server fills in before it asks. */
function isKept({ rule, version = "" }: Finding, keys: string[], live: readonly KubeObject[], next: Crd): boolean {
  const read = version.slice(version.lastIndexOf(" ") + 1);
  const schema = next.versions.find(({ name }) => name === read)?.schema;
  const there = schema && schemaAt(schema, keys);
  if (rule === undefined || schema === undefined || there === undefined) return false;
  const complete = defaulted(schema, live);
  return complete !== undefined && ruleHolds(rule, there, at(complete, ["*", ...keys]));
}

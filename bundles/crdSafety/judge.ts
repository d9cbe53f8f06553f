/** Which findings harm none of the objects that are there. Pure. */

import { type KubeObject } from "../../kubernetes/client/objects";
import type { Check, Finding } from "./checks";
import type { InvalidObject } from "./validate";
import { isObject } from "../../foundation/json/isObject";

/** What no look at objects can clear: the API server takes none of it. */
const NEVER: ReadonlySet<Check> = new Set(["storedVersionRemoved", "scopeChanged", "namesChanged"]);

/** What an object that fits the new schema has nothing to fear of. */
const BY_SCHEMA: ReadonlySet<Check> = new Set([
  ...(["fieldRemoved", "unknownFieldsDropped", "typeChanged", "enumNarrowed", "boundsNarrowed"] as const),
  ...(["lengthsNarrowed", "patternChanged", "requiredFieldAdded", "nullableRemoved"] as const),
]);

/** What matters only where an object has something at the path of the finding. */
const BY_PRESENCE: ReadonlySet<Check> = new Set(["ruleAdded", "mergeChanged", "patternChanged"]);

/** Formats, and expressions that only the API server reads, nobody here has held against the objects. */
const isUnread = ({ check, becomes }: Finding): boolean => check === "patternChanged" && !isReadable(becomes);

function isReadable(becomes: string): boolean {
  const [, quoted] = /^pattern (".*")$/.exec(becomes) ?? [];
  if (quoted === undefined) return false;
  try {
    return new RegExp(JSON.parse(quoted) as string, "u").source !== "";
  } catch {
    // Cut in the message, or one that JavaScript does not know.
    return false;
  }
}

/** Whether a finding harms none of these objects, of which `invalid` do not fit the new CRD. */
export function isHarmless(finding: Finding, live: readonly KubeObject[], invalid: readonly InvalidObject[]): boolean {
  if (NEVER.has(finding.check)) return false;
  if (live.length === 0) return true;
  if (BY_SCHEMA.has(finding.check) && !isUnread(finding)) return invalid.length === 0;
  const keys = finding.path === undefined ? undefined : keysOf(finding.path);
  if (keys === undefined) return false;
  if (BY_PRESENCE.has(finding.check)) return !live.some((object) => at(object, keys).length > 0);
  // What an object says itself no default changes.
  const last = keys.at(-1);
  const parents = live.flatMap((object) => at(object, keys.slice(0, -1)));
  return finding.check === "defaultChanged" && last !== undefined && parents.every((one) => at(one, [last]).length > 0);
}

/** The keys of `^.spec.list[*]["a.b"]`; undefined for what is no such path. */
function keysOf(path: string): string[] | undefined {
  const parts = path.slice(1).match(/\.[\w-]+|\[\*\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
  if (parts.join("") !== path.slice(1)) return undefined;
  return parts.map((part) =>
    part.startsWith(".") ? part.slice(1) : part === "[*]" ? "*" : (JSON.parse(part.slice(1, -1)) as string),
  );
}

/** The values at a path. */
function at(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [value];
  if (typeof value !== "object") return [];
  if (key === "*") return Object.values(value).flatMap((each) => at(each, rest));
  return isObject(value) && Object.hasOwn(value, key) ? at(value[key], rest) : [];
}

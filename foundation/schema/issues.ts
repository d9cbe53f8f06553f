import * as z from "zod";
import { describe, valueAt } from "./describe";
import { mismatch, type Fault, type Path } from "./faults";
import { KEY_SEPARATOR, type IssueParams } from "./fields";
import { didYouMean } from "../text/nearest";
import { isSecretAt } from "./secretValues";

/** What is needed to describe faults, besides the value itself. */
export interface FaultContext {
  /** The whole config. Paths start here. */
  readonly root: Readonly<Record<string, unknown>>;
  /** Schema of the whole config, which says what is secret. */
  readonly schema: z.core.$ZodType;
  /** Keys of the namespace that contain a secret. Messages show no value below them. */
  readonly secretKeys: ReadonlySet<string>;
}

/** Schema of an object that has a value of `schema` at `path`. */
export const schemaWith = (path: Path, schema: z.core.$ZodType): z.core.$ZodType =>
  path.reduceRight((inner, key) => z.object({ [key]: inner }), schema);

/** Describes the value at `path` without revealing secrets. */
export function foundAt(place: FaultContext, path: Path): string {
  return describe(valueAt(place.root, path), isSecret(place, path));
}

const isSecret = (place: FaultContext, path: Path): boolean =>
  isSecretAt(place.schema, path) || place.secretKeys.has(String(path[0]));

/** Converts zod issues of the value at `base` to faults, without duplicates. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], base: Path, place: FaultContext): Fault[] {
  const faults = issues.flatMap((issue) => issueFaults(issue, base, place));
  const known = new Set<string>();
  return faults.filter((fault) => {
    const key = JSON.stringify(fault);
    return !known.has(key) && known.add(key);
  });
}

function issueFaults(issue: z.core.$ZodIssue, base: Path, place: FaultContext): Fault[] {
  const path: Path = [...base, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(KEY_SEPARATOR);
    return issue.keys.map((key) => unknownKey([...path, key], known));
  }
  if (issue.code === "invalid_key") {
    // The message of a record's key schema is nested one level deeper.
    const expected = issue.issues[0]?.message ?? issue.message;
    return [mismatch(path, `the name ${JSON.stringify(path.at(-1))}`, expected)];
  }
  const hint = issue.code === "custom" ? (issue.params as IssueParams | undefined)?.hint : undefined;
  const choices = issue.code === "invalid_value" || issue.code === "invalid_union" ? issue.message.split(" or ") : [];
  const meant = hint ?? didYouMean(valueAt(place.root, path), choices);
  // A hint may repeat the value, so a secret gets none.
  return [mismatch(path, foundAt(place, path), issue.message, isSecret(place, path) ? undefined : meant)];
}

/** Fault for a key that is not one of `known`. */
export function unknownKey(path: Path, known: readonly string[]): Fault {
  return mismatch(path, "an unknown key", `one of ${known.join(KEY_SEPARATOR)}`, didYouMean(path.at(-1), known));
}

/** Faults for keys `__proto__`, which no schema sees: they would be ignored. */
export function reservedKeys(value: unknown, base: Path = []): Fault[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...base, Array.isArray(value) ? Number(key) : key];
    return key === "__proto__" ? [mismatch(path, "a reserved name", "another name")] : reservedKeys(inner, path);
  });
}

import type * as z from "zod";
import { describe, isSecretPath, valueAt } from "./describe";
import { mismatch, type Fault, type Path } from "./faults";
import { KEY_SEPARATOR, type IssueParams } from "./fields";
import { didYouMean } from "../text/nearest";

/** What the faults of a value are identified by, besides the value itself. */
export interface Place {
  /** The whole config; paths start in it. */
  readonly root: Readonly<Record<string, unknown>>;
  /** Keys of the namespace that hold a secret somewhere: nothing under them is shown. */
  readonly secretKeys: ReadonlySet<string>;
}

/** What stands at `path`, in words that give no secret away. */
export function foundAt(place: Place, path: Path): string {
  return describe(valueAt(place.root, path), isSecret(place, path));
}

const isSecret = (place: Place, path: Path): boolean => isSecretPath(path) || place.secretKeys.has(String(path[0]));

/** Turns what zod says about the value at `base` into faults, each once. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], base: Path, place: Place): Fault[] {
  const faults = issues.flatMap((issue) => issueFaults(issue, base, place));
  const known = new Set<string>();
  return faults.filter((fault) => {
    const key = JSON.stringify(fault);
    return !known.has(key) && known.add(key);
  });
}

function issueFaults(issue: z.core.$ZodIssue, base: Path, place: Place): Fault[] {
  const path: Path = [...base, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(KEY_SEPARATOR);
    return issue.keys.map((key) => unknownKey([...path, key], known));
  }
  if (issue.code === "invalid_key") {
    // The message of the record's key schema is one level down.
    const expected = issue.issues[0]?.message ?? issue.message;
    return [mismatch(path, `the name ${JSON.stringify(path.at(-1))}`, expected)];
  }
  const hint = issue.code === "custom" ? (issue.params as IssueParams | undefined)?.hint : undefined;
  const choices = issue.code === "invalid_value" || issue.code === "invalid_union" ? issue.message.split(" or ") : [];
  const meant = hint ?? didYouMean(valueAt(place.root, path), choices);
  // A hint is made of the value.
  return [mismatch(path, foundAt(place, path), issue.message, isSecret(place, path) ? undefined : meant)];
}

/** A key that is not one of `known`. */
export function unknownKey(path: Path, known: readonly string[]): Fault {
  return mismatch(path, "an unknown key", `one of ${known.join(KEY_SEPARATOR)}`, didYouMean(path.at(-1), known));
}

/** Finds what CustomResourceDefinitions would break in a cluster that has earlier versions of them. */

import type { Client } from "../../kubernetes/client/client";
import { identity, type KubeObject, refOf, isCrd } from "../../kubernetes/objects/objects";
import { canBeAllowed, isViolationAllowed, INVALID_OBJECTS } from "./allowance";
import { findingText, type Violation, type Check } from "./checks";
import { readCrd, type Crd } from "./crd";
import { crdFaults } from "./crdFaults";
import { ruleHolds } from "./heldRules";
import { valuesAt, keysOf, schemaAt } from "./objectPaths";
import { isSharedPattern } from "./sharedPattern";
import { invalidObjects, invalidObjectText, defaulted, type InvalidObject } from "./validate";

// Findings that affect none of the existing objects. Pure.

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
function isHarmless(
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

/** Returns the setting that allows all of these, ready to be pasted; undefined if they can't be allowed. */
type Advice = (allowances: readonly string[]) => string | undefined;

interface CrdProblems {
  /** One line each; the first one says how to allow the others. Empty if there is no violation. */
  readonly problems: readonly string[];
  /** Violations that affect none of the existing objects. */
  readonly notes: readonly string[];
}

/** The new version of objects, by identity; undefined for objects that will be deleted. */
export type Replaced = ReadonlyMap<string, KubeObject | undefined>;

/** `replaced`: objects that change together with their definitions. Their new version is checked. */
export async function crdProblems(
  client: Client,
  objects: readonly KubeObject[],
  allowances: readonly string[],
  advice: Advice,
  replaced: Replaced = new Map(),
): Promise<CrdProblems> {
  const problems: string[] = [];
  const notes: string[] = [];
  const needed = new Set<string>();
  for (const object of objects.filter(isCrd)) {
    const { apiVersion, kind, metadata } = object;
    const live = await client.get({ apiVersion, kind, name: metadata.name });
    if (!live) continue;
    const [old, next] = [readCrd(live), readCrd(object)];
    const { findings, unfit, note } = judged(await liveObjects(client, old, replaced), old, next, allowances);
    for (const one of findings) if (canBeAllowed(one.check)) needed.add(`${next.name}/${one.check}`);
    if (unfit.length > 0) needed.add(`${next.name}/${INVALID_OBJECTS}`);
    problems.push(...findings.map((one) => findingText(one, adviceFor(one))), ...unfit);
    if (note !== undefined) notes.push(note);
  }
  const text = needed.size > 0 ? advice([...needed]) : undefined;
  if (text !== undefined) problems.unshift(`to allow what follows: ${text}`);
  return { problems, notes };
}

const adviceFor = ({ check, crd }: Violation): string =>
  canBeAllowed(check)
    ? `${crd}/${check}`
    : "which the API server refuses: have all objects stored in another version, and take this one from status.storedVersions";

interface Judged {
  readonly findings: readonly Violation[];
  readonly unfit: readonly string[];
  readonly note?: string;
}

function judged(live: readonly KubeObject[], old: Crd, next: Crd, allowances: readonly string[]): Judged {
  const open = crdFaults(old, next).filter(({ check }) => !isViolationAllowed(allowances, next.name, check));
  const version = live[0]?.apiVersion.split("/")[1];
  const found = live.length === 0 ? [] : invalidObjects(old, next, live);
  const unfit = isViolationAllowed(allowances, next.name, INVALID_OBJECTS) ? [] : found.map(invalidObjectText);
  // A conversion webhook converts objects of other versions, with a result that is not known here.
  const seen = ({ version: of }: Violation): boolean =>
    next.conversion === "None" || of === undefined || of === version;
  const isSafe = (one: Violation): boolean => (live.length === 0 || seen(one)) && isHarmless(one, live, found, next);
  const safe = open.filter(isSafe);
  const findings = open.filter((one) => !isSafe(one));
  if (safe.length === 0) return { findings, unfit };
  const count = safe.length === 1 ? "1 change" : `${safe.length} changes`;
  const why =
    live.length === 0 ? `there is no ${old.kind}` : `${old.kind} objects that are there: ${live.length}, all fit`;
  return {
    findings,
    unfit,
    note: `CustomResourceDefinition ${next.name}: ${count} that could break users, but ${why}`,
  };
}

async function liveObjects(client: Client, { group, kind, versions }: Crd, replaced: Replaced): Promise<KubeObject[]> {
  const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
  if (!version) return [];
  const live = await client.list({ apiVersion: `${group}/${version.name}`, kind });
  return live.flatMap((object) => {
    const key = identity(refOf(object));
    return replaced.has(key) ? (replaced.get(key) ?? []) : object;
  });
}

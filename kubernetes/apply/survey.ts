/** Compares the cluster with the desired objects and checks whether they would be accepted. Changes nothing. */

import { isDeepStrictEqual } from "node:util";
import { ApiError, isMissingNamespace } from "../client/apiError";
import { at, type KubeObject, type Ref } from "../objects/objects";
import { CLAIM, claimsOf, isClaim, isStatefulSet } from "../claims/claims";
import { changeableIn, immutableChanges, unsafeChanges } from "../claims/immutable";
import { withoutShrinking, planClaim, planTemplates, type Growth, type WhenSmaller } from "../claims/claimPlan";
import { growthFaults } from "../disks/grow";
import { keptClaims } from "../disks/kept";
import { claimNames, diskUnused, planDisks, type DiskPlan, type PlannedDisks } from "../disks/newSet";
import { ifKnown } from "../client/lookUp";
import { isOwn, isOwned, ownershipConflict } from "../owners/ownership";
import { sharedWarnings } from "./shared";
import { claimFindings, findingText, recordedFor, type ClaimUids } from "../drift/truth";
import { forAll } from "../client/pool";
import { enforcedLevel, withheldLevel } from "./podSecurity";
import { dryRun, dryRunCreation } from "./dryRun";
import { classCheck } from "./ingressClass";
import type { Site } from "./site";
import { explain, missingNamespace, FaultsError } from "../work/faults";
import { givenKey, type WantedObject } from "./wanted";

/** One object and what must be done to apply it. */
export interface Task extends WantedObject {
  /** The live object, for kinds that need a comparison. */
  readonly live: KubeObject | undefined;
  /** The live object by which its owner was judged; undefined if there was none. */
  readonly seen?: KubeObject;
  /** Claims that must grow before the object is applied. */
  readonly growths: readonly Growth[];
  /** It can't be changed in place, so it is recreated without its pods and claims being deleted. */
  readonly recreate: boolean;
  /** An object of the same name that is being deleted, and must be gone first. */
  readonly terminating: KubeObject | undefined;
  /** Kept disks with the names of claims that a new StatefulSet creates. */
  readonly disks?: DiskPlan;
  /** It belongs to another stack that shares the set, and stays as it is. */
  readonly stays?: boolean;
}

interface Survey {
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
  /** Namespaces that are missing in a preview. Another resource of the program may create them. */
  readonly missing: readonly string[];
  /** Warnings of the API server, and notes about what is withheld because of running pods. */
  readonly warnings: readonly string[];
  /** Namespaces whose Pod Security level is not enforced yet. */
  readonly withheld: readonly string[];
}

export interface SurveyOptions {
  /** The set's previous objects by {@link givenKey}; empty on creation. */
  readonly before: ReadonlyMap<string, KubeObject>;
  readonly whenSmaller: WhenSmaller;
  readonly preview: boolean;
  /** UIDs of the set's claims after its last update; undefined on creation and for older states. */
  readonly claims?: ClaimUids;
  /** Whether the set is new. */
  readonly isNew: boolean;
}

/** Throws all faults at once, before anything is changed. */
export async function survey(site: Site, wanted: readonly WantedObject[], options: SurveyOptions): Promise<Survey> {
  const faults: string[] = [];
  const notes: string[] = [];
  const missing = new Set<string>();
  const warnings: string[] = [];
  const withheld: string[] = [];
  const isThere = namespaceLookup(site);
  const wrongClass = classCheck(site);
  const tasks = await forAll(wanted, async (one): Promise<Task> => {
    try {
      if (one.needs === "kind" || (one.needs === "namespace" && !(await isThere(one.ref.namespace ?? "")))) {
        return taskOf(one);
      }
      const before = options.before.get(givenKey(one.given));
      const look = await examine(site, one, before, options);
      const unserved = await wrongClass(one.object, before);
      faults.push(...look.faults, ...(unserved === undefined ? [] : [unserved]));
      notes.push(...look.notes);
      warnings.push(...(look.warnings ?? []));
      if (look.withheld) withheld.push(one.ref.name);
      return look.task;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (site.unknown?.note(error, one.ref)) return taskOf(one);
      if (options.preview && isMissingNamespace(error)) missing.add(missingNamespace(one.ref));
      else if (error.code === 401 || error.code >= 500 || error.code === 429) throw error;
      else faults.push(explain(error, one.ref));
      return taskOf(one);
    }
  });
  faults.push(
    ...(await growthFaults(
      site,
      tasks.flatMap(({ growths }) => growths),
    )),
    ...(site.unknown?.faults ?? []),
  );
  if (faults.length > 0) throw new FaultsError("nothing was changed", faults);
  return { tasks, notes, missing: [...missing], warnings, withheld };
}

interface Look {
  readonly task: Task;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  readonly warnings?: readonly string[];
  readonly withheld?: boolean;
}

async function examine(
  site: Site,
  wanted: WantedObject,
  before: KubeObject | undefined,
  options: SurveyOptions,
): Promise<Look> {
  const { ref, object } = wanted;
  const warnings: string[] = [];
  // Whether a Pod Security level can be enforced depends on the running pods.
  const unchanged =
    before !== undefined && enforcedLevel(object) === undefined && isDeepStrictEqual(before, wanted.given);
  const special = isStatefulSet(ref) || isClaim(ref);
  // Runs in parallel with reading the live object, because a creation needs both.
  const tried = unchanged || special ? undefined : settle(dryRun(site, object, (words) => warnings.push(words)));
  const [live, claims] = await Promise.all([
    site.client.get(ref),
    isStatefulSet(ref) && !before ? claimsOf(site.client, [object]) : [],
  ]);
  if (live?.metadata.deletionTimestamp !== undefined) return { task: taskOf(wanted, live), faults: [], notes: [] };
  const plain: Task = { ...taskOf(wanted), seen: live };
  if (live && site.owner.shares && isOwned(live, site.owner) && !isOwn(live, ref, site.owner)) {
    return { task: { ...plain, stays: true }, faults: [], notes: [], warnings: sharedWarnings(site, live, object) };
  }
  const foreign = live && (await ownershipFault(site, live, ref));
  if (foreign !== undefined) return { task: plain, faults: [foreign], notes: [] };
  if (isStatefulSet(ref)) {
    const known = live || before ? await claimsOf(site.client, live ? [live, object] : [object]) : claims;
    return examineStatefulSet(site, wanted, live, known, { ...options, unchanged });
  }
  if (isClaim(ref)) {
    const { growths, faults, notes } = planClaim(object, live, before, options.whenSmaller);
    if (faults.length > 0) return { task: plain, faults, notes };
    const applied = live ? withoutShrinking(object, live) : object;
    await dryRun(site, applied);
    return { task: { ...plain, object: applied, live, growths }, faults, notes };
  }
  if (tried) unwrap(await tried);
  else if (!live) await dryRun(site, object);
  const held = withheldLevel(object, live, warnings);
  if (held === undefined) return { task: plain, faults: [], notes: [], warnings };
  return { task: { ...plain, object: held.object }, faults: [], notes: [], warnings: [held.message], withheld: true };
}

/**
 * Why a live object must not be changed. An object that an object of the set controls, such as one of an operator in
 * the set, belongs to the set.
 */
export async function ownershipFault({ client, owner }: Site, live: KubeObject, ref: Ref): Promise<string | undefined> {
  const why = ownershipConflict(live, ref, owner);
  const controller = live.metadata.ownerReferences?.find(({ controller: controls }) => controls);
  if (why === undefined || controller === undefined) return why;
  const { apiVersion, kind, name, uid } = controller;
  const maker = await ifKnown(client.get({ apiVersion, kind, name, namespace: live.metadata.namespace }));
  return maker && maker.metadata.uid === uid && isOwned(maker, owner) ? undefined : why;
}

interface HowApplied extends SurveyOptions {
  readonly unchanged: boolean;
}

async function examineStatefulSet(
  site: Site,
  wanted: WantedObject,
  live: KubeObject | undefined,
  claims: readonly KubeObject[],
  { unchanged, whenSmaller, claims: recorded, isNew }: HowApplied,
): Promise<Look> {
  const plan = live ? undefined : await newDisks(site, wanted.object, claims, { recorded, isNew });
  const others = new Set(
    [...(plan?.disks.aside ?? []), ...(plan?.disks.going ?? [])].map(({ metadata }) => metadata.uid),
  );
  const own = claims.filter(({ metadata }) => !others.has(metadata.uid));
  const lost = claimFindings(own, recordedFor(recorded, wanted.ref, wanted.given));
  const planned = planTemplates(wanted.object, live, own, whenSmaller);
  const { growths } = planned;
  const notes = [...planned.notes, ...(plan?.notes ?? [])];
  const object = live && whenSmaller === "keep" ? withoutShrinking(wanted.object, live) : wanted.object;
  const changes = live ? immutableChanges(object, live) : [];
  const all = [
    ...planned.faults,
    ...(plan?.faults ?? []),
    ...lost.map(findingText),
    ...(live ? [...unsafeChanges(object, live, claims), ...disksLostByScaling(object, live)] : []),
    ...(live ? diskUnused(site.inputs.disk, live, own) : []),
  ];
  const task = {
    ...taskOf(wanted),
    object,
    live,
    seen: live,
    growths,
    recreate: changes.length > 0,
    disks: plan?.disks,
  };
  if (all.length > 0) return { task, faults: all, notes };
  // Immutable fields are checked with their live values, so that the dry run covers the rest of the object.
  if (!unchanged || !live || changes.length > 0) {
    await dryRun(site, live && changes.length > 0 ? changeableIn(object, live) : object);
  }
  if (live && changes.length > 0) await dryRunCreation(site, object);
  return { task, faults: [], notes };
}

/** What happens to claims that exist before their StatefulSet does. */
async function newDisks(
  { client, inputs }: Site,
  set: KubeObject,
  claims: readonly KubeObject[],
  { recorded = {}, isNew }: { readonly recorded: ClaimUids | undefined; readonly isNew: boolean },
): Promise<PlannedDisks> {
  const namespace = set.metadata.namespace ?? inputs.namespace;
  const kept = await keptClaims(client, namespace);
  // The disk of another deployment, which an interrupted update has begun to use, has other labels than the set's.
  const names = inputs.disk === undefined ? [] : claimNames(set);
  const named = await Promise.all(names.map((name) => client.get({ ...CLAIM, namespace, name })));
  const all = [...kept, ...claims, ...named.filter((claim) => claim !== undefined)];
  const there = new Map(all.map((claim) => [claim.metadata.name, claim])).values();
  const own = new Set(Object.values(recorded));
  const others = [...there].filter(({ metadata }) => !own.has(metadata.uid ?? ""));
  return planDisks(set, others, { disk: inputs.disk, isStrict: isNew && inputs.record !== undefined });
}

/** Scaling to zero must never delete disks. */
function disksLostByScaling(wanted: KubeObject, live: KubeObject): string[] {
  const policy = ["spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"] as const;
  const whenScaled = at(wanted, ...policy) ?? at(live, ...policy);
  const toZero = at(wanted, "spec", "replicas") === 0 && at(live, "spec", "replicas") !== 0;
  if (!toZero || whenScaled !== "Delete") return [];
  return [
    `StatefulSet ${live.metadata.namespace}/${live.metadata.name}: scaling it to 0 would delete its disks, because ` +
      "spec.persistentVolumeClaimRetentionPolicy.whenScaled is Delete; set it to Retain",
  ];
}

const taskOf = (wanted: WantedObject, terminating?: KubeObject): Task => ({
  ...wanted,
  live: undefined,
  growths: [],
  recreate: false,
  terminating,
});

/**
 * Returns a cached lookup: whether a namespace of the set itself already exists, as it does from the second update on.
 */
function namespaceLookup({ client }: Site): (name: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (name) => {
    let there = known.get(name);
    if (!there) {
      there = client.get({ apiVersion: "v1", kind: "Namespace", name }).then((found) => found !== undefined);
      known.set(name, there);
    }
    return there;
  };
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settle = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

function unwrap<T>(settled: Settled<T>): T {
  if ("error" in settled) throw settled.error;
  return settled.value;
}

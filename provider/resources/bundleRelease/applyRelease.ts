/** Applies a release: creation and update are the same. */

import { setTimeout as sleep } from "node:timers/promises";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { isForbidden } from "../../../kubernetes/client/apiError";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { withOwnerId } from "../../../kubernetes/identity/ownerId";
import { identity, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { finishOwner, type Held } from "../../../kubernetes/owners/store";
import { openWork, type Work } from "../../../kubernetes/work/work";
import { allowClaimsSince } from "../../../kubernetes/guard/guard";
import { incompleteMessage, missingNamespace } from "../../../kubernetes/work/faults";
import {
  extentFrom,
  extentOf,
  overParent,
  parentOf,
  parentRef,
  setStatus,
  tenureAfter,
  union,
  type Extent,
  type ReleaseKey,
} from "./applySet";
import { driftedIn } from "./live/byHand";
import { authorise } from "./apply/authorise";
import { applyPhase, withLaterFaults, type Task } from "./apply/apply";
import { wholeBefore, type Earlier } from "./earlier";
import { guardMembers, guardScaling } from "./apply/guard";
import { DEFAULTS, approvalDigest, releaseId, releaseTitle, type ReleaseInputs, type ReleaseState } from "./inputs";
import { liveParent, membersIn, memberRef } from "./live/live";
import type { Member } from "./wanted/member";
import { inventoryInOrder, isNamespace, phasesOf, type Phase } from "./wanted/order";
import { blockersOf, unblocked } from "./apply/unblock";
import { removeMembers } from "./apply/remove";
import { missingKinds, missingText } from "./wanted/requirements";
import { ReleaseProgress, recordsOf, settledIn, type Recorded } from "./state";
import { survey } from "./apply/survey";
import { parted, logTaken } from "./ownership/takers";
import { releaseClaimant } from "./ownership/claimant";
import { guarded } from "./ownership/ownership";
import { beginTenancy, requireTenancy, tenancyOf } from "./ownership/tenancy";
import { wantedMembers } from "./wanted/wanted";

// The namespace of a release before its objects are checked against it. The release does not own it.

/** Another resource of the same update may create it. */
const PATIENCE_MS = 10_000;
const POLL_MS = 200;

/** Creates the namespace if the inputs say so. Otherwise, a new release waits for it a little; errors come later. */
async function ensureNamespace(
  { client, signal, log, title }: Pick<Work, "client" | "signal" | "log" | "title">,
  { namespace, createNamespace }: ReleaseInputs,
  members: readonly Member[],
  isNew: boolean,
): Promise<void> {
  if (members.some(({ ref }) => isNamespace(ref) && ref.name === namespace)) return;
  const ref = { apiVersion: "v1", kind: "Namespace", name: namespace };
  if (createNamespace === true) {
    if ((await client.get(ref)) === undefined) {
      await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    }
    return;
  }
  if (!isNew) return;
  const exists = async (): Promise<boolean> => {
    try {
      return (await client.get(ref, { metadataOnly: true })) !== undefined;
    } catch (error) {
      if (isForbidden(error)) return true; // Its user may do without reading namespaces.
      throw error;
    }
  };
  if (await exists()) return;
  log("info", `${title} waits for namespace ${namespace}, which does not exist yet`);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !(await exists());) {
    await sleep(POLL_MS, undefined, { signal });
  }
}

export const openRelease = (context: Context, inputs: ReleaseInputs): Work =>
  openWork(context, releaseTitle(inputs), inputs, DEFAULTS.timeoutSeconds);

/** `backTo`: time of a rollback, whose content had been applied before. */
export async function applyRelease(
  context: Context,
  inputs: ReleaseInputs,
  ownerId: string,
  old?: Earlier,
  { backTo }: { readonly backTo?: number } = {},
): Promise<ReleaseState> {
  const asking = openRelease(context, inputs);
  const [uid, parent] = await Promise.all([
    requireCluster(context, inputs, old?.state),
    liveParent(asking.client, inputs),
  ]);
  const tenancy = tenancyOf(context, inputs, releaseClaimant(context, ownerId, old?.state), parent);
  requireTenancy(tenancy);
  const missing = await missingKinds(asking.client, inputs.requires);
  if (missing.length > 0) throw new Error(missingText(missing));
  const members = await wantedMembers(asking, inputs, old);
  await ensureNamespace(asking, inputs, members, old === undefined);
  const phases = phasesOf(members);
  const { digest, toward } = setStatus(parent);
  const records = recordsOf(old?.state, toward !== undefined || tenancy.verdict === "taken");
  const progress = new ReleaseProgress(
    phases.flatMap(({ items }) => items),
    records,
  );
  const settled = settledIn(records);
  const changed = members.filter((member) => !settled(member));
  await authorise(asking, inputs, {
    members,
    changed,
    leaving: parted(removedRefs(records, members), inputs).going,
    back: backTo !== undefined,
  });
  // Waiting for an approval does not count towards the time limit for readiness.
  const work = allowClaimsSince(openRelease(context, inputs), backTo);
  const before = parent && extentFrom(parent, inputs);
  const leaving = removedRefs(records, members);
  const back = backTo === undefined ? undefined : becoming(members, leaving);
  const tenure = tenureAfter(parent, ownerId);
  const surveyed = await survey(work, changed, inputs, { tenure, drifted: driftedIn(old, records), back });
  const tasks = new Map(surveyed.map((task) => [task.key, { ...task, object: withOwnerId(task.object, ownerId) }]));
  const toDo = phases.map((phase) => ({ ...phase, items: phase.items.flatMap(({ key }) => tasks.get(key) ?? []) }));
  const now = extentOf(inputs, refsOf(members));
  const whole = before ? union(before, now) : now;
  const removal = { ...inputs, tenure };
  const leaves = parted(removedRefs(records, members), inputs).going;
  await guardMembers(work, removal, leaves, "this update");
  await guardScaling(work, [...tasks.values()]);
  const identified = { ownerId, ...(uid === undefined ? {} : { clusterUid: uid }) };
  const coming = parentOf(inputs, whole, { digest, toward: approvalDigest(inputs) });
  const begin = () => beginTenancy(work.client, tenancy, ownerId, context.urn, (live) => overParent(live, coming));
  let generation = old?.state.generation;
  try {
    const before = guarded(work, inputs, tenure, tenancy.record);
    const mine = blockersOf(members, [...tasks.values()], leaves);
    const first = <T>(of: Work, attempt: () => Promise<T>): Promise<T> => {
      const remove = (refs: readonly Ref[]) => removeMembers(of, removal, refs, (gone) => progress.removed(gone));
      const apply = (items: readonly Task[]) =>
        applyPhase(of, inputs, { wave: undefined, step: "webhooks", items }, progress);
      return unblocked(of, { ...mine, remove, apply }, attempt);
    };
    const held = await first(before, () => withNamespace(work, inputs, begin, toDo, progress));
    generation = held.record.generation;
    const ours = guarded(work, inputs, tenure, held.record);
    for (const [at, phase] of toDo.entries())
      await first(ours, () => applyPhase(ours, inputs, phase, progress)).catch(async (error: unknown) => {
        throw await withLaterFaults(ours, error, toDo.slice(at + 1));
      });
    const left = await unwantedRefs(work, inputs, whole, members, refsOf(records));
    const { going, taken } = parted(left, inputs);
    logTaken(work, taken, inputs);
    progress.removed(taken);
    // Objects that a killed update left behind are only known now.
    await guardMembers(work, removal, going, "this update");
    if (going.length > 0)
      await first(ours, () => removeMembers(ours, removal, going, (refs) => progress.removed(refs)));
    // Objects that no other release has taken over yet are checked again next time.
    const then = union(now, extentOf(inputs, taken));
    const settledParent = parentOf(inputs, then, { digest: approvalDigest(inputs) });
    const settledNote = overParent(held.object, settledParent);
    await first(ours, () => finishOwner(work.client, held, { clusterUid: uid }, settledNote));
    return { ...progress.state(inputs), ...identified, generation };
  } catch (error) {
    // Nothing was changed, so the old state is still valid.
    if (!progress.changedAnything) throw error;
    const before = wholeBefore(old);
    const state: ReleaseState = { ...progress.state(inputs), ...identified, generation, incomplete: { before } };
    throw new IncompleteError(incompleteMessage(error, progress.applied), releaseId(inputs), state, { cause: error });
  }
}

/** Returns the objects of the release that are no longer members. */
export function removedRefs(records: readonly Recorded[], members: readonly Member[]): Ref[] {
  const wanted = new Set(members.map(({ ref }) => identity(ref)));
  return refsOf(records).filter((ref) => !wanted.has(identity(ref)));
}

/** The planned object for each current one; undefined for objects that leave the release. */
const becoming = (members: readonly Member[], leaving: readonly Ref[]): ReadonlyMap<string, KubeObject | undefined> =>
  new Map([
    ...leaving.map((ref) => [identity(ref), undefined] as const),
    ...members.map(({ ref, object }) => [identity(ref), object] as const),
  ]);

const refsOf = (items: readonly { readonly ref: Ref }[]): Ref[] => items.map(({ ref }) => ref);

/**
 * Writes the parent before any member, so that there is one owner, and members can be found after an interruption. Its
 * namespace may be part of the bundle.
 */
async function withNamespace(
  work: Work,
  inputs: ReleaseInputs,
  begin: () => Promise<Held | undefined>,
  phases: readonly Phase<Task>[],
  progress: ReleaseProgress,
): Promise<Held> {
  const missing = (): Error => new Error(missingNamespace(parentRef(inputs)));
  const held = await begin();
  if (held) return held;
  const all = phases.flatMap(({ items }) => items);
  const own = all.filter(({ ref }) => isNamespace(ref) && ref.name === inputs.namespace);
  if (own.length === 0) throw missing();
  await applyPhase(work, inputs, { wave: undefined, step: "namespaces", items: own }, progress);
  const now = await begin();
  if (now) return now;
  throw missing();
}

/**
 * Returns the release's objects that are no longer desired. Also searches the cluster, because a killed update did not
 * record what it created.
 */
export async function unwantedRefs(
  work: Pick<Work, "client">,
  inputs: ReleaseKey,
  extent: Extent,
  members: readonly Member[],
  known: readonly Ref[],
): Promise<Ref[]> {
  const wanted = new Set(members.map(({ ref }) => identity(ref)));
  const found = await membersIn(work.client, inputs, extent, [...refsOf(members), ...known]);
  const live = new Map(found.map((object) => [identity(memberRef(object)), memberRef(object)]));
  // Use a version that the cluster serves.
  const now = known.map((ref) => live.get(identity(ref)) ?? ref);
  return inventoryInOrder(now, [...live.values()]).filter((ref) => !wanted.has(identity(ref)));
}

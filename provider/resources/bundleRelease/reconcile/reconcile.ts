/**
 * Restores what differs from the last complete update of a release, and nothing else: the content, the owner and the
 * generation stay, so that the state stays true without being written.
 */

import type { Context } from "../../../../foundation/pulumi/resource";
import { isConflict, isNotFound } from "../../../../kubernetes/client/apiError";
import { forAll, shared } from "../../../../kubernetes/client/pool";
import { ownerIdOf, ownerIdOn, withOwnerId } from "../../../../kubernetes/identity/ownerId";
import { requireCluster } from "../../../../kubernetes/identity/recordedCluster";
import { describe } from "../../../../kubernetes/objects/objects";
import { OwnerError } from "../../../../kubernetes/owners/judge";
import { isSameChange } from "../../../../kubernetes/owners/record";
import { recordOn } from "../../../../kubernetes/owners/annotations";
import type { Work } from "../../../../kubernetes/work/work";
import { applyPhase, type Task } from "../apply/apply";
import { authorise } from "../apply/authorise";
import { guardScaling } from "../apply/guard";
import { survey } from "../apply/survey";
import { openRelease } from "../applyRelease";
import { parentRef, tenureAfter } from "../applySet";
import { appliedInputs, type Earlier } from "../earlier";
import { withSecretsMasked } from "../hidden";
import { releaseTitle, type ReleaseInputs } from "../inputs";
import { liveParent } from "../live/live";
import { releaseClaimant } from "../ownership/claimant";
import { guarded } from "../ownership/ownership";
import { tenancyOf, type Tenancy } from "../ownership/tenancy";
import { ReleaseProgress, recordsOf } from "../state";
import { phasesOf } from "../wanted/order";
import { wantedMembers } from "../wanted/wanted";
import { differencesOf, type Difference } from "./differences";
import { heldBack, isPaused, RECONCILED_AT, type Standing } from "./plan";

/** An object, and what was restored or why it was left alone. */
export interface ObjectReport {
  /** `Deployment shop/web`. */
  readonly object: string;
  readonly text: string;
  /** Field managers that set what differs. Default: none is known. */
  readonly managers?: readonly string[];
}

export interface Reconciled {
  readonly standing: Standing;
  /** Why the whole release was left alone. */
  readonly reason?: string;
  readonly repaired: readonly ObjectReport[];
  readonly left: readonly ObjectReport[];
}

/** Throws what an update would throw: a missing approval, missing rights, unavailable content, a refusal of the cluster. */
export const reconcileRelease = (context: Context, id: string, earlier: Earlier): Promise<Reconciled> =>
  withSecretsMasked(context, [earlier.inputs, earlier.state], (own) => reconcile(own, id, earlier));

async function reconcile(context: Context, id: string, { inputs: given, state }: Earlier): Promise<Reconciled> {
  // It takes nothing over, recreates nothing, and waits for no approval.
  const careful = { drift: undefined, adopt: [], replace: [], awaitApproval: false };
  const inputs: ReleaseInputs = { ...appliedInputs({ inputs: given, state }), ...careful };
  const work = openRelease(context, inputs);
  await requireCluster(context, inputs, state);
  const note = await liveParent(work.client, inputs);
  const ownerId = ownerIdOf(context.urn, id, state);
  const tenancy = tenancyOf(context, inputs, releaseClaimant(context, ownerId, state), note);
  const held = heldBack(tenancy, inputs, state);
  if (held) return { ...held, repaired: [], left: [] };
  const members = await wantedMembers(work, inputs, { inputs, state });
  const tenure = tenureAfter(note, ownerId);
  const found = await differencesOf(work, { ...inputs, tenure }, recordsOf(state), members);
  const left = found.flatMap((one) => reportOf(one, "leave"));
  const going = found.filter(({ fate }) => "repair" in fate).map(({ member }) => member);
  if (going.length === 0) return { standing: left.length === 0 ? "clean" : "differs", repaired: [], left };
  await authorise(work, inputs, { members, changed: going, leaving: [] });
  const drifted = new Set(going.map(({ key }) => key));
  const surveyed = await survey(work, going, inputs, { tenure, drifted });
  const tasks = surveyed.map((task) => ({ ...task, replace: false, object: withOwnerId(task.object, ownerId) }));
  await guardScaling(work, tasks);
  const standing = shared(() => requireStanding(work, inputs, tenancy));
  const ours: Work = { ...guarded(work, inputs, tenure, tenancy.record), requireOwner: standing };
  const progress = new ReleaseProgress(going, []);
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  for (const phase of phasesOf(going)) {
    const items = phase.items.flatMap(({ key }) => byKey.get(key) ?? []);
    await applyPhase(ours, inputs, { ...phase, items }, progress);
  }
  await finish(work, inputs, tenancy, tasks);
  const repaired = found.flatMap((one) => reportOf(one, "repair"));
  return { standing: left.length === 0 ? "repaired" : "differs", repaired, left };
}

const reportOf = ({ member, fate }: Difference, kind: "leave" | "repair"): ObjectReport[] => {
  const { [kind]: text, managers = [] } = fate as Partial<Record<typeof kind, string>> & typeof fate;
  return text === undefined ? [] : [{ object: describe(member.ref), text, ...(managers.length > 0 && { managers }) }];
};

/** Throws if a change or a deletion of the release has begun, or it was paused. */
async function requireStanding(
  { client }: Pick<Work, "client">,
  inputs: ReleaseInputs,
  { record }: Tenancy,
): Promise<void> {
  const note = await client.get(parentRef(inputs));
  const now = note && recordOn(note);
  const isGone = note === undefined || note.metadata.deletionTimestamp !== undefined;
  if (!isGone && now?.phase === "applied" && isSameChange(now, record) && !isPaused(note)) return;
  throw new OwnerError(
    `${releaseTitle(inputs)} ${isGone ? "is being deleted" : "is being changed or was paused"} meanwhile; what was restored until then stays`,
  );
}

/** Another process may annotate the note at the same moment, but hardly this often. */
const TRIES = 5;

/**
 * Writes to the note that something was restored. A deletion that began before sees this and looks for the objects
 * again; one that has ended has missed what was created since, which is removed here.
 */
async function finish(work: Work, inputs: ReleaseInputs, tenancy: Tenancy, tasks: readonly Task[]): Promise<void> {
  const { client } = work;
  for (let attempt = 1; ; attempt++) {
    const note = await client.get(parentRef(inputs));
    if (note === undefined) return removeCreated(work, inputs, tenancy, tasks);
    if (!isSameChange(recordOn(note), tenancy.record)) return; // The update that has begun has the last word.
    const annotations = { ...note.metadata.annotations, [RECONCILED_AT]: new Date().toISOString() };
    try {
      await client.replace({ ...note, metadata: { ...note.metadata, annotations } });
      return;
    } catch (error) {
      if ((!isConflict(error) && !isNotFound(error)) || attempt >= TRIES) throw error;
    }
  }
}

async function removeCreated(
  { client }: Work,
  inputs: ReleaseInputs,
  { record }: Tenancy,
  tasks: readonly Task[],
): Promise<void> {
  await forAll(
    tasks.filter(({ there }) => !there),
    async ({ ref }) => {
      const live = await client.get(ref, { metadataOnly: true });
      const uid = live && ownerIdOn(live) === record?.owner ? live.metadata.uid : undefined;
      if (uid !== undefined) await client.remove(ref, { uid });
    },
  );
  throw new OwnerError(`${releaseTitle(inputs)} was deleted meanwhile; what was restored is removed again`);
}

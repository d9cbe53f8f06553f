/** Deletes a whole release. */

import type { Context } from "../../../foundation/pulumi/resource";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { isOfSameStack } from "../../../kubernetes/owners/judge";
import { keptObjectText } from "../../../kubernetes/remove/keptObjects";
import type { Work } from "../../../kubernetes/work/work";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { parseInventoryKey, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { extentFrom, extentOf, parentRef, tenureAfter } from "./applySet";
import { askRights } from "./apply/authorise";
import { unwantedRefs, openRelease } from "./applyRelease";
import type { Earlier } from "./earlier";
import type { ReleaseInputs } from "./inputs";
import { liveParent } from "./live/live";
import { guardMembers } from "./apply/guard";
import { guarded } from "./ownership/ownership";
import { predecessorOf, releaseClaimant } from "./ownership/claimant";
import { ownedByText, requireTenancy, tenancyOf, type Tenancy } from "./ownership/tenancy";
import { releaseMembers, removeMembers, type Removal } from "./apply/remove";
import { blockersOf, unblocked } from "./apply/unblock";

export async function destroyRelease(context: Context, { inputs, state }: Earlier, ownerId: string): Promise<void> {
  const work = openRelease(context, inputs);
  try {
    await requireCluster(context, inputs, state);
    const parent = await liveParent(work.client, inputs);
    const tenancy = tenancyOf(context, inputs, releaseClaimant(context, ownerId, state), parent);
    if (tenancy.verdict === "stale") requireTenancy(tenancy);
    if (isKept(context, tenancy, work)) return;
    const known = (state.inventory ?? []).map(parseInventoryKey);
    if (inputs.retained !== true) await askRights(work, inputs, { members: [], changed: [], leaving: known });
    const extent = parent ? extentFrom(parent, inputs) : extentOf(inputs, known);
    const tenure = tenureAfter(parent, ownerId);
    const ours = guarded(work, inputs, tenure, tenancy.record);
    let note = parent;
    do {
      const left = await unwantedRefs(work, inputs, extent, [], known);
      if (inputs.retained === true) await releaseMembers(ours, inputs, left);
      else await remove(ours, { ...inputs, tenure }, left);
      note = await forgetNote(work, inputs, tenancy, note);
    } while (note !== undefined);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    if (inputs.retained === true) {
      return work.log(
        "warning",
        `${error.message}; so the objects of ${work.title} stay with the marks of their owner`,
      );
    }
    throw new Error(
      `${error.message}. If the cluster is gone for good, forget the bundle without deleting: pulumi state delete '${context.urn}'`,
      { cause: error },
    );
  }
}

async function remove(work: Work, removal: Removal, members: readonly Ref[]): Promise<void> {
  await guardMembers(work, removal, members, "deleting it");
  const removing = (refs: readonly Ref[]) => removeMembers(work, removal, refs);
  const blockers = { ...blockersOf([], [], members), remove: removing, apply: () => Promise.resolve() };
  await unblocked(work, blockers, () => removing(members));
}

/**
 * Whether another resource owns the release. Says so, as a warning unless this run has replaced it by one of this stack.
 * What a killed replacement in this stack has left is continued by the next update, not deleted here.
 */
function isKept(context: Context, { claim, record, verdict }: Tenancy, { log }: Work): boolean {
  if (record === undefined || (verdict !== "foreign" && verdict !== "taken")) return false;
  const isReplaced = isOfSameStack(record, claim.claimant) && predecessorOf(context) !== undefined;
  const severity = isReplaced ? "info" : "warning";
  log(severity, keptObjectText(claim.ref, `${claim.thing.title} ${ownedByText(record)}. Nothing of it was changed`));
  return true;
}

/**
 * Deletes the note, unless it has another owner by now. Returns it if it was changed since `seen`: a reconciliation that
 * ended meanwhile may have restored objects that were deleted before.
 */
async function forgetNote(
  { client }: Work,
  inputs: ReleaseInputs,
  { record }: Tenancy,
  seen: KubeObject | undefined,
): Promise<KubeObject | undefined> {
  const now = await client.get(parentRef(inputs));
  if (now === undefined || ownerIdOn(now) !== record?.owner) return undefined;
  const { uid, resourceVersion } = now.metadata;
  if (resourceVersion !== seen?.metadata.resourceVersion) return now;
  // The note may change between the two requests as well.
  return (await client.remove(parentRef(inputs), { uid, resourceVersion })) ? undefined : client.get(parentRef(inputs));
}

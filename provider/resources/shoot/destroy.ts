/** Deletes a Shoot: confirms the deletion, and waits until Gardener is done. */

import type { Context } from "../../../foundation/pulumi/resource";
import { mayBeForced } from "../../../kubernetes/gardener/codes";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { requestDeletion, forceDeletion } from "../../../kubernetes/gardener/deletion";
import { removeAuthentication } from "../../../kubernetes/gardener/existing";
import { despiteConflicts } from "../../../kubernetes/gardener/write";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { judgeOwner, requireOwner } from "../../../kubernetes/owners/judge";
import type { Claimant } from "../../../kubernetes/owners/record";
import { noteForeignPart } from "../../framework/foreignPart";
import { openGarden, requireGarden, type Garden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";
import { shootClaimant, thingOf } from "./owner";
import { untilSettled, type Rescue } from "./wait";

interface Both {
  readonly inputs: ShootInputs;
  readonly state: ShootState;
}

export async function destroyShoot(context: Context, both: Both): Promise<void> {
  const garden = openGarden(context, both.inputs);
  const { client, ref, title, log } = garden;
  await requireGarden(context, both.inputs, both.state);
  const request = (): Promise<boolean> =>
    whileOwn(garden, context, both, (live) => requestDeletion(client, ref, live, both.inputs.operationId));
  const force: Rescue = async ({ codes }) => {
    if (both.inputs.allowForceDeletion !== true || !mayBeForced(codes)) return false;
    log("warning", `${title}: its deletion is forced (${codes.join(", ")}); what is left in the cloud stays there`);
    return whileOwn(garden, context, both, (live) => forceDeletion(client, ref, live));
  };
  if (await request()) await untilSettled(garden, ref, "deleted", both.inputs.timeouts, force);
  if ((await client.get(ref)) === undefined)
    await removeAuthentication(client, both.inputs.shoot, both.inputs.instance);
}

/** Decides whether the Shoot is still this stack's, and changes that version of it. False if it is gone or stays. */
const whileOwn = (
  { client, ref, title, log }: Garden,
  context: Context,
  { inputs, state }: Both,
  change: (live: KubeObject) => Promise<void>,
): Promise<boolean> =>
  despiteConflicts(async () => {
    const live = await client.get(ref);
    if (live === undefined) return false;
    const claimant = shootClaimant(context, inputs, state);
    const whose = ownerOf(live, claimant, { inputs, state });
    if (whose !== undefined) {
      noteForeignPart(context, `${title}: ${whose}`);
      log("warning", `${title} is left alone: ${whose}`);
      return false;
    }
    requireOwner(recordOn(live), claimant, thingOf(title, live));
    await change(live);
    return true;
  });

/** Whose the Shoot is, if it is not this stack's. */
function ownerOf(live: KubeObject, claimant: Claimant, { inputs, state }: Both): string | undefined {
  const { uid } = live.metadata;
  const record = recordOn(live);
  const isIts =
    state.uid === undefined ? record !== undefined || ownerIdOn(live) === inputs.instance : uid === state.uid;
  if (!isIts) return `it is another one than this stack created (UID ${uid})`;
  if (record === undefined || judgeOwner(record, claimant) !== "foreign") return undefined;
  const { stack, backend, changedAt, changedBy } = record;
  return `it belongs to stack ${stack} in ${backend}, which last changed it at ${changedAt} (${changedBy})`;
}

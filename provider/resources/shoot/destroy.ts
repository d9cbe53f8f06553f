/** Deletes a Shoot: confirms the deletion, and waits until Gardener is done. */

import type { Context } from "../../../foundation/pulumi/resource";
import { mayBeForced } from "../../../kubernetes/gardener/codes";
import { requestDeletion, forceDeletion } from "../../../kubernetes/gardener/deletion";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { judge, requireOwner } from "../../../kubernetes/owners/judge";
import { openGarden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";
import { claimantOf, thingOf } from "./owner";
import { untilSettled, type Rescue } from "./wait";

interface Both {
  readonly inputs: ShootInputs;
  readonly state: ShootState;
}

export async function destroyShoot(context: Context, { inputs, state }: Both): Promise<void> {
  const garden = openGarden(context, inputs);
  const { client, ref, title, log } = garden;
  const live = await client.get(ref);
  if (live === undefined) return;
  const { uid } = live.metadata;
  const [record, claimant] = [recordOn(live), claimantOf(context, inputs, state)];
  const isIts =
    state.uid === undefined ? record !== undefined || ownerIdOn(live) === inputs.instance : uid === state.uid;
  if (!isIts) {
    log("warning", `${title} is left alone: it is another one than this stack created (UID ${uid})`);
    return;
  }
  if (record && judge(record, claimant) === "foreign") {
    const { stack, backend, changedAt, changedBy } = record;
    const whose = `stack ${stack} in ${backend}, which last changed it at ${changedAt} (${changedBy})`;
    log("warning", `${title} is left alone: it belongs to ${whose}`);
    return;
  }
  requireOwner(record, claimant, thingOf(title, live));
  await requestDeletion(client, ref, live, inputs.operationId);
  const force: Rescue = async ({ codes }, now) => {
    if (inputs.allowForceDeletion !== true || !mayBeForced(codes)) return false;
    log("warning", `${title}: its deletion is forced (${codes.join(", ")}); what is left in the cloud stays there`);
    await forceDeletion(client, ref, now);
    return true;
  };
  await untilSettled(garden, ref, "deleted", inputs.timeouts, force);
}

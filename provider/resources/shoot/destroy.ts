/** Deletes a Shoot: confirms the deletion, and waits until Gardener is done. */

import type { Context } from "../../../foundation/pulumi/resource";
import { mayBeForced } from "../../../kubernetes/gardener/codes";
import { requestDeletion, forceDeletion } from "../../../kubernetes/gardener/deletion";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { openGarden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";
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
  const isOwn = state.uid === undefined ? ownerIdOn(live) === inputs.instance : uid === state.uid;
  if (!isOwn) {
    log("info", `left ${title} alone: it is another one than this stack created (UID ${uid})`);
    return;
  }
  await requestDeletion(client, ref, live, inputs.operationId);
  const force: Rescue = async ({ codes }) => {
    if (inputs.allowForceDeletion !== true || !mayBeForced(codes)) return false;
    log("warning", `${title}: its deletion is forced (${codes.join(", ")}); what is left in the cloud stays there`);
    await forceDeletion(client, ref);
    return true;
  };
  await untilSettled(garden, ref, "deleted", inputs.timeouts, force);
}

/** Deletes a Shoot: confirms it, and waits until Gardener is done. */

import type { Context } from "../../../foundation/pulumi/resource";
import { mayBeForced } from "../../../kubernetes/gardener/codes";
import {
  CONFIRMATION_ANNOTATION,
  FORCE_ANNOTATION,
  OPERATION_ANNOTATION,
  lastOperationOf,
  operationAnnotations,
} from "../../../kubernetes/gardener/shoot";
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
  const { uid, deletionTimestamp } = live.metadata;
  const isOwn = state.uid === undefined ? ownerIdOn(live) === inputs.instance : uid === state.uid;
  if (!isOwn) {
    log("info", `left ${title} alone: it is another one than this stack created (UID ${uid})`);
    return;
  }
  const retry = deletionTimestamp !== undefined && lastOperationOf(live)?.state === "Failed";
  const annotations = {
    [CONFIRMATION_ANNOTATION]: "true",
    ...operationAnnotations(inputs.operationId),
    ...(retry && { [OPERATION_ANNOTATION]: "retry" }),
  };
  await client.merge(ref, { metadata: { annotations } });
  if (deletionTimestamp === undefined) await client.remove(ref, { uid });
  const force: Rescue = async ({ codes }) => {
    if (inputs.allowForceDeletion !== true || !mayBeForced(codes)) return false;
    log("warning", `${title}: its deletion is forced (${codes.join(", ")}); what is left in the cloud stays there`);
    await client.merge(ref, { metadata: { annotations: { [FORCE_ANNOTATION]: "true" } } });
    return true;
  };
  await untilSettled(garden, ref, "deleted", inputs.timeouts, force);
}

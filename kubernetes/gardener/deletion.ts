/** Has Gardener delete a Shoot. */

import type { Client } from "../client/client";
import type { KubeObject, Ref } from "../client/objects";
import {
  CONFIRMATION_ANNOTATION,
  FORCE_ANNOTATION,
  lastOperationOf,
  OPERATION_ANNOTATION,
  operationAnnotations,
} from "./shoot";

/** Confirms the deletion and asks for it; where Gardener gave one up, asks it to continue. May be repeated. */
export async function askForDeletion(client: Client, ref: Ref, live: KubeObject, operation?: string): Promise<void> {
  const { uid, deletionTimestamp } = live.metadata;
  const isGivenUp = deletionTimestamp !== undefined && lastOperationOf(live)?.state === "Failed";
  const annotations = {
    [CONFIRMATION_ANNOTATION]: "true",
    ...operationAnnotations(operation),
    ...(isGivenUp && { [OPERATION_ANNOTATION]: "retry" }),
  };
  await client.merge(ref, { metadata: { annotations } });
  if (deletionTimestamp === undefined) await client.remove(ref, { uid });
}

/** Has Gardener leave in the cloud what it can't delete. */
export async function forceDeletion(client: Client, ref: Ref): Promise<void> {
  await client.merge(ref, { metadata: { annotations: { [FORCE_ANNOTATION]: "true" } } });
}

/** Requests the deletion of a Shoot. */

import type { Client } from "../client/client";
import type { KubeObject, Ref } from "../client/objects";
import {
  CONFIRMATION_ANNOTATION,
  FORCE_ANNOTATION,
  lastOperationOf,
  OPERATION_ANNOTATION,
  operationAnnotations,
} from "./shoot";

/** Confirms and requests the deletion of this Shoot, and of no other one of its name. If Gardener gave up on an earlier one, requests a retry. May be repeated. */
export async function requestDeletion(client: Client, ref: Ref, live: KubeObject, operation?: string): Promise<void> {
  const { uid, deletionTimestamp } = live.metadata;
  const isGivenUp = deletionTimestamp !== undefined && lastOperationOf(live)?.state === "Failed";
  const annotations = {
    [CONFIRMATION_ANNOTATION]: "true",
    ...operationAnnotations(operation),
    ...(isGivenUp && { [OPERATION_ANNOTATION]: "retry" }),
  };
  await client.merge(ref, { metadata: { uid, annotations } });
  if (deletionTimestamp === undefined) await client.remove(ref, { uid });
}

/** Lets Gardener abandon the cloud resources that it can't delete. */
export async function forceDeletion(client: Client, ref: Ref, { metadata: { uid } }: KubeObject): Promise<void> {
  await client.merge(ref, { metadata: { uid, annotations: { [FORCE_ANNOTATION]: "true" } } });
}

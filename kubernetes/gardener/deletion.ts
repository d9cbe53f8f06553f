/** Requests the deletion of a Shoot. */

import { ApiError } from "../client/apiError";
import type { Client } from "../client/client";
import { describe, versionOf, type KubeObject, type Ref } from "../objects/objects";
import {
  CONFIRMATION_ANNOTATION,
  FORCE_ANNOTATION,
  lastOperationOf,
  OPERATION_ANNOTATION,
  operationAnnotations,
} from "./shoot";

/**
 * Confirms and requests the deletion of the Shoot in the version that the caller has judged; a change by another process
 * is a conflict. If Gardener gave up on an earlier one, requests a retry. May be repeated.
 */
export async function requestDeletion(client: Client, ref: Ref, live: KubeObject, operation?: string): Promise<void> {
  const { deletionTimestamp } = live.metadata;
  const isGivenUp = deletionTimestamp !== undefined && lastOperationOf(live)?.state === "Failed";
  const annotations = {
    [CONFIRMATION_ANNOTATION]: "true",
    ...operationAnnotations(operation),
    ...(isGivenUp && { [OPERATION_ANNOTATION]: "retry" }),
  };
  const confirmed = await client.merge(ref, { metadata: { ...versionOf(live), annotations } });
  if (deletionTimestamp !== undefined || (await client.remove(ref, versionOf(confirmed)))) return;
  throw new ApiError(`${describe(ref)} was changed while its deletion was requested`, 409, "Conflict");
}

/** Lets Gardener abandon the cloud resources that it can't delete. */
export async function forceDeletion(client: Client, ref: Ref, live: KubeObject): Promise<void> {
  await client.merge(ref, { metadata: { ...versionOf(live), annotations: { [FORCE_ANNOTATION]: "true" } } });
}

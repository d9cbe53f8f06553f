/** Reads the storage class of a claim, if the user may. */

import { isForbidden } from "../client/apiError";
import type { Client } from "../client/client";
import type { KubeObject } from "../objects/objects";

/** Undefined if it does not exist; `hidden` if the user may not read it, as with rights in one namespace only. */
export type StorageClass = KubeObject | undefined | "hidden";

export async function storageClass(client: Client, name: string): Promise<StorageClass> {
  try {
    return await client.get({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name });
  } catch (error) {
    if (isForbidden(error)) return "hidden";
    throw error;
  }
}

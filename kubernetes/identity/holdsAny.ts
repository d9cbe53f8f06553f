import type { Client } from "../client/client";
import { lookUp, unlessForbidden } from "../client/lookUp";
import type { KubeObject, Ref } from "../objects/objects";

/** Whether a cluster has any of these objects and it belongs to the resource. `as`: the user to impersonate. */
export async function holdsAny(
  client: Client,
  refs: readonly Ref[],
  { as, isOwn }: { readonly as: string | undefined; readonly isOwn: (live: KubeObject) => boolean },
): Promise<boolean> {
  const asked = as === undefined ? client : client.as({ user: as });
  const found = await unlessForbidden(lookUp(asked, refs, { metadataOnly: true }));
  return [...(found?.values() ?? [])].some(isOwn);
}

/** Changes and deletions that ask for the owner again, and name the version of the object by which it was judged. */

import type { Work } from "../work/work";
import { refOf, type KubeObject } from "../objects/objects";
import { isConflict, isNotFound } from "../client/apiError";
import type { DeleteOptions } from "../client/options";
import type { Json } from "../../foundation/json/isObject";

/** Who takes an object over writes the record of the owner first, and then the object. */
type Asking = Pick<Work, "client" | "requireOwner" | "foreign">;

/** `own`: changed, or gone by now. Otherwise, why the object belongs to another owner. */
export type Outcome = "own" | { readonly foreign: string };

/**
 * Changes an object by a request that names its version, and judges it again after each change by others. `change`
 * returns false after a conflict.
 */
async function whileOwn(
  { client, requireOwner, foreign }: Asking,
  live: KubeObject,
  change: (seen: KubeObject) => Promise<boolean>,
): Promise<Outcome> {
  let seen: KubeObject | undefined = live;
  while (seen && seen.metadata.uid === live.metadata.uid) {
    const why = await foreign?.(seen);
    if (why !== undefined) return { foreign: why };
    await requireOwner?.();
    if (await change(seen)) return "own";
    seen = await client.get(refOf(live), { metadataOnly: true });
  }
  return "own";
}

/** Requests the deletion of an object. */
export const removeOwn = (
  work: Asking,
  live: KubeObject,
  propagationPolicy: DeleteOptions["propagationPolicy"],
): Promise<Outcome> =>
  whileOwn(work, live, ({ metadata: { uid, resourceVersion } }) =>
    work.client.remove(refOf(live), { propagationPolicy, uid, resourceVersion }),
  );

/** Changes labels and annotations of an object. */
export const markOwn = (work: Asking, live: KubeObject, metadata: Json): Promise<Outcome> =>
  whileOwn(work, live, async ({ metadata: { uid, resourceVersion } }) => {
    try {
      await work.client.merge(refOf(live), { metadata: { ...metadata, uid, resourceVersion } });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  });

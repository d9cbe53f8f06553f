/** Finds objects of other owners in a namespace before it is deleted, because they are deleted with it. */

import { ApiError, isNotFound } from "../client/apiError";
import { describe, refOf } from "../objects/objects";
import { BUNDLE_LABEL, isOfAnother, SET_LABEL } from "../owners/ownership";
import { forAll } from "../client/pool";
import type { Site } from "../apply/site";

/** Describes an object of another set, instance or bundle, for messages; undefined if there is none. */
export async function foreignObjectIn({ client, owner }: Site, namespace: string): Promise<string | undefined> {
  const { kinds } = await client.discovery.all();
  const listed = kinds.filter((one) => one.namespaced && one.listable);
  const places = [SET_LABEL, BUNDLE_LABEL].flatMap((label) => listed.map((kind) => ({ ...kind, label })));
  const found = await forAll(places, async ({ apiVersion, kind, label }) => {
    try {
      return await client.list({ apiVersion, kind, namespace }, { label, metadataOnly: true });
    } catch (error) {
      // A kind that was removed has no objects. A user who can't list objects of a kind can't have applied any.
      if (isNotFound(error) || (error instanceof ApiError && error.code === 403)) return [];
      throw error;
    }
  });
  const others = found
    .flat()
    .filter((live) => live.metadata.deletionTimestamp === undefined && isOfAnother(live, owner));
  return others[0] && describe(refOf(others[0]));
}

/** Deletes a whole release. */

import type { Context } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { parseInventoryKey } from "../../../kubernetes/client/objects";
import { continued, extentFrom, extentOf, parentRef, tenureOf } from "./live/applySet";
import { askRights } from "./apply/authorise";
import { unwantedRefs, openRelease } from "./applyRelease";
import type { Earlier } from "./earlier";
import { guardMembers } from "./ownership/guard";
import { removeMembers } from "./apply/remove";

export async function destroy(context: Context, { inputs, state }: Earlier, ownerId: string): Promise<void> {
  const work = openRelease(context, inputs);
  try {
    const known = (state.inventory ?? []).map(parseInventoryKey);
    await askRights(work, inputs, { members: [], changed: [], leaving: known });
    const parent = await work.client.get(parentRef(inputs));
    const extent = parent ? extentFrom(parent, inputs) : extentOf(inputs, known);
    const tenure = continued(parent, ownerId);
    const hasRelease = parent === undefined || (tenureOf(parent)?.owner ?? ownerId) === ownerId;
    const left = await unwantedRefs(work, inputs, extent, [], known);
    const removal = { ...inputs, tenure, hasRelease };
    await guardMembers(work, removal, left, "deleting it");
    await removeMembers(work, removal, left);
    if (hasRelease) await work.client.remove(parentRef(inputs));
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new Error(
      `${error.message}. If the cluster is gone for good, forget the bundle without deleting: pulumi state delete '${context.urn}'`,
      { cause: error },
    );
  }
}

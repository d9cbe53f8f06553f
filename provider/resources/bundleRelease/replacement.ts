/**
 * Checks before a release is replaced: a preview asks for the difference, but not for the deletion that follows from
 * it.
 */

import type { Context } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { parseInventoryKey } from "../../../kubernetes/objects/objects";
import { openRelease } from "./applyRelease";
import type { Earlier } from "./earlier";
import { guardMembers } from "./apply/guard";

export async function guardReplacement(context: Context, { inputs, state }: Earlier): Promise<void> {
  // The call does not say whether this is a preview, so don't wait for an unavailable cluster.
  const work = openRelease({ ...context, preview: true }, inputs);
  try {
    await guardMembers(work, inputs, (state.inventory ?? []).map(parseInventoryKey), "replacing it");
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    work.log("warning", `${error.message}; so it is unknown which claims would be deleted`);
  }
}

/** Deletion of a whole set. */

import { UnreachableError } from "../kubernetes/apiError";
import type { Context } from "../framework/resource";
import type { SetInputs, SetState } from "./inputs";
import { removeAll } from "./remove";
import { openSite } from "./site";

interface Both {
  readonly inputs: SetInputs;
  readonly state: SetState;
}

export async function destroy(context: Context, old: Both, ownerId: string): Promise<void> {
  const site = openSite(context, old.inputs, ownerId);
  try {
    await removeAll(site, old.state.inventory ?? [], old.inputs);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new Error(
      `${error.message}. If the cluster is gone for good, forget the set without deleting: pulumi state delete '${context.urn}'`,
      { cause: error },
    );
  }
}

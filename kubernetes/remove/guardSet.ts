/** Guards the claims of a set before its objects are deleted. */

import { UnreachableError } from "../client/apiError";
import { hasUnknown, type Context } from "../../foundation/pulumi/resource";
import type { SetInputs, SetState } from "../apply/set";
import { openSite, type Site } from "../apply/site";
import type { Task } from "../apply/survey";
import { refuseLoss } from "../guard/guard";
import { claimsLostByScaling } from "../guard/scaled";
import { claimsLostBySet } from "./setLosses";

/** Before objects of a set are removed. `old`: the inputs that created them. */
export const guardRemoval = (site: Site, inventory: readonly string[], old: SetInputs, doing: string): Promise<void> =>
  inventory.length === 0
    ? Promise.resolve()
    : refuseLoss(site, `${site.title}: ${doing}`, (client) => claimsLostBySet(client, site.owner, inventory, old));

/** Before StatefulSets are scaled down. */
export const guardScaling = (site: Site, tasks: readonly Task[]): Promise<void> =>
  refuseLoss(site, `${site.title}: scaling down`, (client) => claimsLostByScaling(client, tasks));

/** Before the set is replaced. A preview computes only the difference, not the deletion that follows from it. */
export async function guardReplacement(
  context: Context,
  { inputs, state }: { readonly inputs: SetInputs; readonly state: SetState },
  ownerId: string,
  next: SetInputs,
): Promise<void> {
  // A diff does not know whether it is for a preview, so it never waits for an unavailable cluster.
  const site = openSite({ ...context, preview: true }, inputs, ownerId);
  const { name: set, namespace } = next;
  const successor = hasUnknown([set, namespace]) ? undefined : { set, namespace };
  try {
    await refuseLoss(site, `${site.title}: replacing it`, (client) =>
      claimsLostBySet(client, site.owner, state.inventory ?? [], inputs, successor),
    );
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    site.log("warning", `${error.message}; so it is unknown which claims would be deleted`);
  }
}

/** Deletion of a whole set: what its state knows of, and what an update that was killed made besides. */

import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Context } from "../../../foundation/pulumi/resource";
import { guardRemoval } from "../../../kubernetes/guard/guardSet";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { identity, inventoryKey, parseInventoryKey } from "../../../kubernetes/client/objects";
import { refOf } from "../../../kubernetes/claims/claims";
import { markedFor } from "../../../kubernetes/remove/marked";
import { removeAll } from "../../../kubernetes/remove/remove";
import { openSite } from "../../../kubernetes/apply/site";
import type { Site } from "../../../kubernetes/apply/site";

interface Both {
  readonly inputs: SetInputs;
  readonly state: SetState;
}

export async function destroy(context: Context, old: Both, ownerId: string): Promise<void> {
  const site = openSite(context, old.inputs, ownerId);
  try {
    const inventory = await inventoryOf(site, old.state.inventory ?? []);
    await guardRemoval(site, inventory, old.inputs, "deleting it");
    await removeAll(site, inventory, old.inputs);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new Error(
      `${error.message}. If the cluster is gone for good, forget the set without deleting: pulumi state delete '${context.urn}'`,
      { cause: error },
    );
  }
}

/** What the state has not heard of comes last, so that it goes first; only what holds others keeps its place before them. */
async function inventoryOf({ client, owner }: Site, known: readonly string[]): Promise<string[]> {
  const identities = new Set(known.map((key) => identity(parseInventoryKey(key))));
  const strays = (await markedFor(client, owner)).map(refOf).filter((ref) => !identities.has(identity(ref)));
  const isGround = ({ kind }: (typeof strays)[number]): boolean =>
    kind === "Namespace" || kind === "CustomResourceDefinition";
  return [
    ...strays.filter(isGround).map(inventoryKey),
    ...known,
    ...strays.filter((ref) => !isGround(ref)).map(inventoryKey),
  ];
}

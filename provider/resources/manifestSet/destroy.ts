/** Deletes a whole set: the objects in its state, and those that a killed update created. */

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

/**
 * Objects that the state does not contain come last, so that they are deleted first. Namespaces and
 * CustomResourceDefinitions come before the known objects, so that they are deleted last.
 */
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

/** Deletes a whole set: the objects in its state, and those that a killed update created. */

import { foreignPart, noteForeignPart } from "../../framework/foreignPart";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Context } from "../../../foundation/pulumi/resource";
import { guardRemoval } from "../../../kubernetes/remove/guardSet";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import type { SetInputs, SetInState } from "../../../kubernetes/apply/set";
import { identity, inventoryKey, namesOf, parseInventoryKey, refOf } from "../../../kubernetes/objects/objects";
import { isOfSameStack, ownerText, requireOwner } from "../../../kubernetes/owners/judge";
import { forgetOwner } from "../../../kubernetes/owners/store";
import { keptObjectText } from "../../../kubernetes/remove/keptObjects";
import { markedFor } from "../../../kubernetes/remove/marked";
import { releaseAll, removeAll } from "../../../kubernetes/remove/remove";
import { openSite, type Site } from "../../../kubernetes/apply/site";
import { guardedSite, movedTo, readTenure, type Tenure } from "./tenure";

export async function destroySet(context: Context, old: SetInState, ownerId: string): Promise<void> {
  const opened = openSite(context, old.inputs, ownerId);
  try {
    const [, tenure] = await Promise.all([
      requireCluster(context, old.inputs, old.state),
      readTenure(context, opened, old.state),
    ]);
    const { site, claim, found, verdict } = tenure;
    if (verdict === "stale") requireOwner(found?.record, claim.claimant, claim.thing);
    if (isOfAnotherStack(context, tenure)) return;
    const inventory = await inventoryOf(site, old.state.inventory ?? []);
    const ours = guardedSite(site, found?.record);
    const missing = await (old.inputs.retained ? releaseAll(ours, inventory) : remove(ours, inventory, old.inputs));
    const owned = found?.record?.owner === ownerId && { object: found.object, record: found.record };
    if (owned) await forgetOwner(site.client, owned);
    // The set of a Helm release has nothing to look for.
    if (old.inputs.release === undefined || inventory.length > 0) await reportMissing(tenure, inventory, missing);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    if (old.inputs.retained) {
      return opened.log(
        "warning",
        `${error.message}; so the objects of ${opened.title} stay with the marks of their owner`,
      );
    }
    throw new Error(
      `${error.message}. If the cluster is gone for good, forget the set without deleting: pulumi state delete '${context.urn}'`,
      { cause: error },
    );
  }
}

async function remove(site: Site, inventory: readonly string[], inputs: SetInputs): Promise<string[]> {
  await guardRemoval(site, inventory, inputs, "deleting it");
  return removeAll(site, inventory, inputs);
}

/** An instance that replaced this one in the same stack leaves it objects of its own, which are deleted. */
function isOfAnotherStack(context: Context, { site, claim, found, verdict }: Tenure): boolean {
  const isForeign = verdict === "foreign" && found?.record && !isOfSameStack(found.record, claim.claimant);
  const why = isForeign ? `${site.title} belongs to ${ownerText(found.record)}` : foreignPart(context);
  if (why === undefined) return false;
  if (!site.inputs.shared) noteForeignPart(context, why);
  site.log(site.inputs.shared ? "info" : "warning", keptObjectText(claim.ref, why));
  return true;
}

/** Says what was looked for and not found, so that nobody takes it for deleted. */
async function reportMissing(tenure: Tenure, inventory: readonly string[], missing: readonly string[]): Promise<void> {
  const { site, claim } = tenure;
  if (missing.length < inventory.length) {
    if (missing.length > 0) site.log("info", `not found: ${namesOf(missing.map(parseInventoryKey))}`);
    return;
  }
  const moved = await movedTo(tenure);
  if (moved !== undefined) return site.log("warning", keptObjectText(claim.ref, `${site.title} was moved: ${moved}`));
  const what = inventory.length === 0 ? "no objects" : `none of ${namesOf(inventory.map(parseInventoryKey))}`;
  site.log("info", `found ${what} in ${site.inputs.cluster}, so there was nothing to delete`);
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

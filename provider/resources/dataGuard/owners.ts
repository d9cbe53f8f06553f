/**
 * Owners of parts, which their records name. A part itself refuses to be deleted by an older state, but only when its turn
 * comes; and Helm never refuses.
 */

import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import { revisionsOf } from "../../../kubernetes/drift/helmRevisions";
import { forAll } from "../../../kubernetes/client/pool";
import type { Ref } from "../../../kubernetes/objects/objects";
import { writeRecord } from "../../../kubernetes/gardener/owner";
import { shootRef } from "../../../kubernetes/gardener/shoot";
import { detailsOn } from "../../../kubernetes/owners/annotations";
import { isCurrent, isOfSameStack, OwnerError, ownerText, requireOwner } from "../../../kubernetes/owners/judge";
import { offerTo, stackIn, stackOf, type OwnerRecord } from "../../../kubernetes/owners/record";
import { guardOwner, readOwner, recordRef, type Held } from "../../../kubernetes/owners/store";
import { noteForeignPart } from "../../framework/foreignPart";
import { parentRef } from "../bundleRelease/applySet";
import { partKey, type Part, type PartOwner } from "./inputs";

type ClientOf = (part: Part) => Client;

/** A part that has had a record. */
interface OwnedPart extends Part {
  readonly owner: PartOwner;
}

const isOwnedPart = (part: Part): part is OwnedPart => part.owner !== undefined && part.owner.generation !== 0;

function recordOf({ type, namespace, name, owner }: OwnedPart): Required<Ref> {
  if (type === "shoot") return { ...shootRef(namespace, name), namespace };
  if (type === "bundle") return parentRef({ namespace, name });
  return recordRef({ namespace: owner.namespace ?? namespace, name: owner.set ?? name });
}

async function heldBy(client: Client, part: OwnedPart): Promise<Held | undefined> {
  const found = await readOwner(client, recordOf(part));
  return found?.record && { record: found.record, object: found.object };
}

/** Throws if a part has changed since the state of its own stack was written, or is a release of another owner. */
export async function requireOwners(context: Context, clientOf: ClientOf, parts: readonly Part[]): Promise<void> {
  await forAll(parts.filter(isOwnedPart), async (part) => {
    const held = await heldBy(clientOf(part), part);
    if (held !== undefined) requireOwn(context, part, held);
  });
}

/**
 * Throws if a release is gone, on which Helm would fail. Only before everything is deleted: an update that moves a release
 * has uninstalled the old one by now.
 */
export async function requireReleases(context: Context, clientOf: ClientOf, parts: readonly Part[]): Promise<void> {
  await forAll(parts.filter(isOwnedPart), async (part) => {
    if (!(await isGone(clientOf(part), part))) return;
    const [, stack] = stackOf(context).stack.split("/");
    throw new OwnerError(
      `${titleOf(part)} is gone from the cluster, and Helm can't uninstall it again. Nothing was deleted. Forget it: ` +
        `pulumi refresh --stack ${stack}; then run the command again`,
    );
  });
}

const isGone = async (client: Client, part: Part): Promise<boolean> =>
  part.type === "release" && (await revisionsOf(client, part))?.length === 0;

/**
 * After an update that failed between a part and the guard, the guard has an older generation than its part. So the
 * record has the generation of the guard too.
 */
function requireOwn(context: Context, part: OwnedPart, { record, object }: Held): void {
  const { id, generation } = part.owner;
  const claimant = { ...stackOf(context), owner: id, generation };
  if (record.owner === id && isOfSameStack(record, claimant)) {
    const guarded = Math.min(detailsOn(object).guarded ?? 0, record.generation);
    if (generation >= guarded || record.offeredTo === offerTo(claimant)) return;
    return requireOwner({ ...record, phase: "applied" }, claimant, { title: titleOf(part), adopt: "" });
  }
  if (record.owner === id && isCurrent(record, claimant)) return;
  // Sets, bundles and Shoots of others stay when their turn comes.
  if (part.type !== "release") return noteForeignPart(context, `${titleOf(part)} belongs to ${ownerText(record)}`);
  throw new OwnerError(foreignRelease(part, record));
}

const titleOf = (part: Part): string => (part.type === "release" ? `Helm ${partKey(part)}` : partKey(part));

function foreignRelease(part: OwnedPart, record: OwnerRecord): string {
  const { urn = "" } = part.owner;
  const { namespace, name } = recordOf(part);
  const adopt = `stackyard adopt ${namespace}/${name.replace(/\.owner$/, "")} --stack ${stackIn(urn).split("/").at(-1)}`;
  return (
    `${titleOf(part)} belongs to ${ownerText(record)}. Nothing was deleted. To take it over on purpose: ` +
    `${adopt}. To leave it alone, take it out of the config of this stack, and forget it: ` +
    `pulumi state delete --target-dependents '${urn}'; then update`
  );
}

/** Records the generations that the guard has from now on. */
export async function markOwners(clientOf: ClientOf, parts: readonly Part[]): Promise<void> {
  await forAll(parts.filter(isOwnedPart), async (part) => {
    const { id, generation } = part.owner;
    const held = await heldBy(clientOf(part), part);
    if (held?.record.owner !== id || detailsOn(held.object).guarded === generation) return;
    const { object, record } = held;
    const details = { ...detailsOn(object), guarded: generation };
    await (part.type === "shoot"
      ? writeRecord(clientOf(part), object, record, details)
      : guardOwner(clientOf(part), held, generation));
  });
}

/** With the generations of the records, and without releases that are gone, for a refresh: each part reads itself too. */
export async function currentOwners(context: Context, clientOf: ClientOf, parts: readonly Part[]): Promise<Part[]> {
  const found = await forAll(parts, async (part) => {
    if (!isOwnedPart(part)) return [part];
    if (await isGone(clientOf(part), part)) return [];
    const record = (await heldBy(clientOf(part), part))?.record;
    const isOwn = record?.owner === part.owner.id && isOfSameStack(record, stackOf(context));
    return [isOwn ? { ...part, owner: { ...part.owner, generation: record.generation } } : part];
  });
  return found.flat();
}

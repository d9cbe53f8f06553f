/** Determines which claims remove.ts would delete with objects of a set. Changes nothing. */

import type { Client } from "../client/client";
import { identity, isCore, parseInventoryKey, type KubeObject } from "../objects/objects";
import { claimsOf, isClaim, isStatefulSet } from "../claims/claims";
import { ifKnown } from "../client/lookUp";
import { ADOPT_ANNOTATION, isOfAnother, isOwned, type SetOwner } from "../owners/ownership";
import { forAll } from "../client/pool";
import { objectsByIdentity, policyOf, type Removed } from "./remove";
import { claimsLost } from "../guard/losses";

/** Set that may take over objects before the old set is removed. */
type Successor = SetOwner;

export async function claimsLostBySet(
  client: Client,
  owner: SetOwner,
  inventory: readonly string[],
  removed: Removed,
  successor?: Successor,
): Promise<KubeObject[]> {
  const given = objectsByIdentity(removed);
  const refs = inventory.map(parseInventoryKey);
  const found = await forAll(refs, (ref) => ifKnown(client.get(ref)));
  const own = found.filter((live) => live && isOwn(live, owner) && !goesOver(live, successor)) as KubeObject[];
  const givenOf = (live: KubeObject): KubeObject | undefined => given.get(identity({ ...live, ...live.metadata }));
  const keeps = (live: KubeObject): boolean =>
    isClaim(live)
      ? removed.claimsWhenDeleted === "Retain"
      : isStatefulSet(live) && policyOf(removed, live, givenOf(live)) === "Retain";
  const kept = await forAll(own.filter(keeps), async (live) => (isClaim(live) ? [live] : claimsOf(client, [live])));
  const occupied = new Set(kept.flat().map(({ metadata }) => metadata.namespace));
  const going = own.filter((live) => !(isClaim(live) && keeps(live)));
  // The set also deletes the claims of a StatefulSet that is already gone, by their names.
  const stranded = refs.filter((ref, index) => isStatefulSet(ref) && !found[index]);
  const left = await forAll(stranded, async (ref) => {
    const object = given.get(identity(ref));
    if (!object || policyOf(removed, undefined, object) === "Retain") return [];
    return claimsOf(client, [{ ...object, metadata: { ...object.metadata, namespace: ref.namespace } }]);
  });
  return claimsLost(client, {
    objects: going,
    namespaces: going
      .filter((one) => isCore(one, "Namespace") && !occupied.has(one.metadata.name))
      .map(({ metadata }) => metadata.name),
    claims: left.flat(),
    keepsClaims: keeps,
  });
}

/** Without an instance id, every object with the labels of the set belongs to it. */
const isOwn = (live: KubeObject, owner: SetOwner): boolean =>
  owner.id === undefined ? isOwned(live, owner) : !isOfAnother(live, owner);

const goesOver = ({ metadata }: KubeObject, successor: Successor | undefined): boolean =>
  successor !== undefined && metadata.annotations?.[ADOPT_ANNOTATION] === `${successor.namespace}.${successor.set}`;

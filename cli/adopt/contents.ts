/** What a set or an instance of a bundle consists of in its cluster. */

import { refOf, describe, identity } from "../../kubernetes/objects/objects";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { forAll } from "../../kubernetes/client/pool";
import { capacityOf, claimsOf, isClaim, isStatefulSet, requestedBytes } from "../../kubernetes/claims/claims";
import type { Held } from "../../kubernetes/owners/store";
import { markedFor } from "../../kubernetes/remove/marked";
import { bytes } from "../../foundation/text/numbers";
import { extentFrom } from "../../provider/resources/bundleRelease/applySet";
import { membersIn } from "../../provider/resources/bundleRelease/live/live";

interface Contents {
  /** `Deployment shop/web`. */
  readonly objects: readonly string[];
  readonly claims: readonly { readonly claim: string; readonly bytes: number | undefined; readonly uid?: string }[];
}

/** Reads the objects of a set or instance, by its record, and the claims of its StatefulSets. */
export async function contentsOf(client: Client, namespace: string, name: string, held: Held): Promise<Contents> {
  const owner = { name, namespace };
  const isBundle = held.object.metadata.name === `bundle-${name}`;
  const all = isBundle
    ? await membersIn(client, owner, extentFrom(held.object, owner), [])
    : await markedFor(client, { set: name, namespace });
  const whole = (object: KubeObject): Promise<KubeObject | undefined> => client.get(refOf(object));
  const sets = await forAll(all.filter(isStatefulSet), whole);
  const own = await forAll(all.filter(isClaim), whole);
  const templated = await forAll(sets, (set) => (set ? claimsOf(client, [set]) : Promise.resolve([])));
  const claims = [...own, ...templated.flat()].filter((claim) => claim !== undefined);
  const distinct = new Map(claims.map((claim) => [identity(refOf(claim)), claim]));
  return {
    objects: all.filter((object) => !isClaim(object)).map((object) => describe(refOf(object))),
    claims: [...distinct.values()].map((claim) => ({
      claim: `${claim.metadata.namespace}/${claim.metadata.name}`,
      bytes: capacityOf(claim) ?? requestedBytes(claim),
      uid: claim.metadata.uid,
    })),
  };
}

export const contentLines = ({ objects, claims }: Contents): string[] => [
  ...objects,
  ...claims.map(
    ({ claim, bytes: size, uid }) =>
      `PersistentVolumeClaim ${claim} (${size === undefined ? "" : `${bytes(size)}, `}UID ${uid})`,
  ),
];

/** Returns the claims that are lost when parts of a platform are deleted. Changes nothing. */

import type { Client } from "../../../kubernetes/client/client";
import { claimsIn, claimsLost } from "../../../kubernetes/guard/losses";
import { claimsLostBySet } from "../../../kubernetes/remove/setLosses";
import { extentFrom, parentRef } from "../bundleRelease/applySet";
import { unwantedRefs } from "../bundleRelease/applyRelease";
import { claimsLostByRelease } from "../bundleRelease/apply/losses";
import { parted } from "../bundleRelease/ownership/takers";
import { type Taker } from "../bundleRelease/inputs";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { Part, PartType } from "./inputs";

type Find = (client: Client, part: Part, takers: readonly Taker[]) => Promise<KubeObject[]>;

const FIND: Readonly<Record<PartType, Find>> = {
  set: (client, { namespace, name, inventory = [] }) => {
    const owner = { namespace, set: name };
    return claimsLostBySet(client, owner, inventory, { namespace, objects: [] });
  },
  bundle: async (client, { namespace, name, allowDeletion = [] }, takers) => {
    const release = { namespace, name, allowDeletion, takers };
    const parent = await client.get(parentRef(release));
    if (!parent) return [];
    const members = await unwantedRefs({ client }, release, extentFrom(parent, release), [], []);
    return claimsLostByRelease(client, release, parted(members, release).going);
  },
  release: async (client, part) => {
    const { namespace } = part;
    const sets = await client.list({ apiVersion: "apps/v1", kind: "StatefulSet", namespace });
    const claims = (await claimsIn(client, namespace)).filter((claim) => isOfRelease(claim, part));
    const objects = sets.filter((set) => isOfRelease(set, part));
    return claimsLost(client, { objects, claims });
  },
};

/** `takers`: bundles that stay, with what they take over from others. */
export const claimsLostByPart: Find = (client, part, takers) => FIND[part.type](client, part, takers);

/** Whether Helm deletes the object with its release. */
function isOfRelease({ metadata: { annotations = {} } }: KubeObject, { namespace, name }: Part): boolean {
  const { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": place } = annotations;
  return release === name && place === namespace && annotations["helm.sh/resource-policy"] !== "keep";
}

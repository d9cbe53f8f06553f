/** Handles a release whose connection to the cluster changed. */

import { ownerIdOn } from "../../../../kubernetes/identity/ownerId";
import { holdsAny } from "../../../../kubernetes/identity/holdsAny";
import type { AccessChange } from "../../../../kubernetes/identity/sameCluster";
import { parseInventoryKey } from "../../../../kubernetes/objects/objects";
import { parentRef, isMember } from "../applySet";
import type { Earlier } from "../earlier";
import type { ReleaseInputs } from "../inputs";

export { expectedCluster, requireSameCluster } from "../../../../kubernetes/identity/sameCluster";

export const movedRelease = ({ inputs, state }: Earlier, now: ReleaseInputs, ownerId: string): AccessChange => ({
  old: inputs,
  uid: state.clusterUid,
  now,
  async isIn(client) {
    const refs = (state.inventory ?? []).map(parseInventoryKey);
    if (refs.length === 0) return true;
    return holdsAny(client, [...refs, parentRef(inputs)], {
      as: now.as,
      isOwn(live) {
        const id = ownerIdOn(live);
        // A random id proves ownership; labels may be the same in two clusters.
        return id === undefined ? state.ownerId === undefined && isMember(live, inputs) : id === ownerId;
      },
    });
  },
});

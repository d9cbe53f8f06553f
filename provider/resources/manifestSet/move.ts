/** Handles a set whose connection to the cluster changed. */

import { holdsAny } from "../../../kubernetes/identity/holdsAny";
import type { AccessChange } from "../../../kubernetes/identity/sameCluster";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { parseInventoryKey } from "../../../kubernetes/objects/objects";
import type { SetInputs, SetInState } from "../../../kubernetes/apply/set";
import { isOwned } from "../../../kubernetes/owners/ownership";

export { expectedCluster, requireSameCluster } from "../../../kubernetes/identity/sameCluster";

export const movedSet = ({ inputs, state }: SetInState, now: SetInputs, ownerId: string): AccessChange => ({
  old: inputs,
  uid: state.clusterUid,
  now,
  async isIn(client) {
    const refs = (state.inventory ?? []).map(parseInventoryKey);
    if (refs.length === 0) return true;
    return holdsAny(client, refs, {
      as: now.as,
      isOwn(live) {
        const id = ownerIdOn(live);
        // A random id proves ownership; labels may be the same in two clusters.
        return (
          isOwned(live, { set: inputs.name, namespace: inputs.namespace }) &&
          (id === ownerId || (id === undefined && state.ownerId === undefined))
        );
      },
    });
  },
});

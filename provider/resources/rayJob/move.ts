/** Handles a job whose connection to the cluster changed. */

import type { AccessChange } from "../../../kubernetes/identity/sameCluster";
import type { JobInputs, JobInState } from "./inputs";

export { expectedCluster, requireSameCluster } from "../../../kubernetes/identity/sameCluster";

export const movedJob = ({ inputs, state }: JobInState, now: JobInputs): AccessChange => ({
  old: inputs,
  uid: state.clusterUid,
  now,
  async isIn(client) {
    const { namespace, service: name } = inputs;
    return (await client.get({ apiVersion: "v1", kind: "Service", namespace, name })) !== undefined;
  },
});

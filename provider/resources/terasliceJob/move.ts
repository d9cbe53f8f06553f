/** Handles a job whose connection to the cluster changed. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { AccessChange } from "../../../kubernetes/identity/sameCluster";
import { ApiError } from "../../../kubernetes/client/apiError";
import { textAt } from "../../../kubernetes/objects/objects";
import { OWNER_LABEL, type JobInputs, type JobInState } from "./inputs";
import { Master } from "./master/master";

export { expectedCluster, requireSameCluster } from "../../../kubernetes/identity/sameCluster";

export const movedJob = ({ inputs, state }: JobInState, now: JobInputs, { signal }: Context): AccessChange => ({
  old: inputs,
  uid: state.clusterUid,
  now,
  async isIn(client) {
    const { namespace, service: name, port } = inputs;
    try {
      const job = await new Master(client, { namespace, name, port }, signal).job(state.jobId);
      return textAt(job, "labels", OWNER_LABEL) === inputs.owner;
    } catch (error) {
      // There is no such master, or access to it is denied.
      if (error instanceof ApiError) return false;
      throw error;
    }
  },
});

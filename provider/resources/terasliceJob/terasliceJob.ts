/** TerasliceJob: a job registered with a Teraslice master; started, scaled, stopped and deleted. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import type { ResourceHandler } from "../../../foundation/pulumi/resource";
import { isAccessChanged, isAccessOnly, replacing } from "../../../kubernetes/identity/clusterAccess";
import { checkJob } from "./check";
import type { JobInputs, JobState } from "./inputs";
import { jobResourceId } from "./inputs";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./terasliceJobSchema";

// The code that connects to a master is loaded on demand: most updates only compute a diff.
const work = {
  move: () => import("./move.js"),
  apply: () => import("./applyJob.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

const REPLACES = ["namespace", "service", "owner"];
/** Time limits: a change of them alone needs no update. */
const IDLE = /^(timeoutSeconds|responseSeconds)$/;

export const terasliceJob: ResourceHandler<JobInputs, JobState> = {
  secretProperties: secretsOf(schema),

  check(_context, given) {
    return Promise.resolve(checkJob(given));
  },

  async diff(context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, REPLACES);
    if (Object.keys(changes).every((path) => IDLE.test(path))) return { changes: {} };
    if (!isAccessChanged(old.inputs, inputs)) return { changes, deleteBeforeReplace: true };
    const { expectedCluster, movedJob } = await work.move();
    const verdict = await expectedCluster(context, movedJob(old, inputs, context));
    return { changes: verdict === "other" ? replacing(changes) : changes, deleteBeforeReplace: true };
  },

  async create(context, inputs) {
    const { applyJob, previewJob } = await work.apply();
    return { id: jobResourceId(inputs), state: await (context.preview ? previewJob : applyJob)(context, inputs) };
  },

  async read(context, id, old) {
    const { readJob } = await work.read();
    return readJob(context, id, old);
  },

  async update(context, _id, old, inputs) {
    if (!context.preview && isAccessChanged(old.inputs, inputs)) {
      const { requireSameCluster, movedJob } = await work.move();
      await requireSameCluster(context, movedJob(old, inputs, context));
    }
    const { clusterUid, unsettled } = old.state;
    const isWritten = clusterUid !== undefined && unsettled === undefined;
    if (isWritten && isAccessOnly(changesBetween(old.inputs, inputs))) return old.state;
    const { applyJob, previewJob } = await work.apply();
    return (context.preview ? previewJob : applyJob)(context, inputs, old);
  },

  async delete(context, _id, old) {
    const { destroyJob } = await work.destroy();
    await destroyJob(context, old);
  },
};

/** TerasliceJob: a job registered with a Teraslice master, started, scaled, stopped and deleted. */

import { changesBetween } from "../framework/changes";
import type { ResourceHandler } from "../framework/resource";
import { checkJob } from "./check";
import type { JobInputs, JobState } from "./inputs";
import { idOf } from "./inputs";

// What talks to a master is loaded when there is something to do: most updates only ask whether anything changed.
const work = {
  bring: () => import("./bring.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

const REPLACES = ["cluster", "namespace", "service", "owner"];
/** By itself nothing to do: how long one is ready to wait. */
const IDLE = /^timeoutSeconds$/;

export const terasliceJob: ResourceHandler<JobInputs, JobState> = {
  secretProperties: ["kubeconfig"],

  check(_context, given) {
    return Promise.resolve(checkJob(given));
  },

  diff(_context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, REPLACES);
    const idle = Object.keys(changes).every((path) => IDLE.test(path));
    return Promise.resolve({ changes: idle ? {} : changes, deleteBeforeReplace: true });
  },

  async create(context, inputs) {
    const { bring, rehearse } = await work.bring();
    return { id: idOf(inputs), state: await (context.preview ? rehearse : bring)(context, inputs) };
  },

  async read(context, id, old) {
    const { readJob } = await work.read();
    return readJob(context, id, old);
  },

  async update(context, _id, old, inputs) {
    const { bring, rehearse } = await work.bring();
    return (context.preview ? rehearse : bring)(context, inputs, old);
  },

  async delete(context, _id, old) {
    const { destroyJob } = await work.destroy();
    await destroyJob(context, old);
  },
};

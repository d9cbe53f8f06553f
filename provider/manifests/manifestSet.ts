/** ManifestSet: a list of Kubernetes objects applied, awaited, changed and deleted as one. */

import type { ResourceHandler } from "../framework/resource";
import { checkSet } from "./check";
import { diffSet } from "./diff";
import { idOf } from "./inputs";
import type { SetInputs, SetState } from "./inputs";

// What talks to clusters is loaded when there is something to do: most updates only ask whether anything changed.
const work = {
  bring: () => import("./bring.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

export const manifestSet: ResourceHandler<SetInputs, SetState> = {
  secretProperties: ["kubeconfig"],

  check(_context, given) {
    return Promise.resolve(checkSet(given));
  },

  diff(_context, _id, old, inputs) {
    return Promise.resolve(diffSet(old.inputs, inputs));
  },

  async create(context, inputs) {
    const { bring, rehearse } = await work.bring();
    return { id: idOf(inputs), state: await (context.preview ? rehearse : bring)(context, inputs) };
  },

  async read(context, id, old) {
    const { readSet } = await work.read();
    return readSet(context, id, old);
  },

  async update(context, _id, old, inputs) {
    const { bring, rehearse } = await work.bring();
    return (context.preview ? rehearse : bring)(context, inputs, old);
  },

  async delete(context, _id, old) {
    const { destroy } = await work.destroy();
    await destroy(context, old);
  },
};

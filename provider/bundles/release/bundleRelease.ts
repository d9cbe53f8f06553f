/** BundleRelease: the content of a bundle applied, awaited, changed, pruned and deleted as one. */

import type { ResourceHandler } from "../../framework/resource";
import { checkRelease } from "./check";
import { diffRelease } from "./diff";
import { hidden } from "./hidden";
import { idOf } from "./inputs";
import type { ReleaseInputs, ReleaseState } from "./inputs";

// What talks to clusters is loaded when there is something to do: most updates only ask whether anything changed.
const work = {
  bring: () => import("./bring.js"),
  rollback: () => import("./rollback.js"),
  rehearse: () => import("./rehearse.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

export const bundleRelease: ResourceHandler<ReleaseInputs, ReleaseState> = {
  secretProperties: ["kubeconfig", "credentials", "secretValues", "incomplete"],

  check(context, given) {
    return checkRelease(given, context);
  },

  diff(_context, _id, old, inputs) {
    return Promise.resolve(diffRelease(old, inputs));
  },

  async create(context, inputs) {
    const state = await hidden(context, [inputs], async (own) =>
      context.preview ? (await work.rehearse()).rehearse(own, inputs) : (await work.bring()).bring(own, inputs),
    );
    return { id: idOf(inputs), state };
  },

  async read(context, id, old) {
    const { readRelease } = await work.read();
    return hidden(context, [old.inputs, old.state], (own) => readRelease(own, id, old));
  },

  async update(context, _id, old, inputs) {
    return hidden(context, [inputs, old.inputs, old.state], async (own) =>
      context.preview
        ? (await work.rehearse()).rehearse(own, inputs, old)
        : (await work.rollback()).bringOrBack(own, inputs, old),
    );
  },

  async delete(context, _id, old) {
    const { destroy } = await work.destroy();
    await destroy(context, old);
  },
};

/** BundleRelease: the content of a bundle applied, awaited, changed, pruned and deleted as one. */

import type { ResourceHandler } from "../../framework/resource";
import { checkRelease } from "./check";
import { diffRelease } from "./diff";
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
    const state = context.preview
      ? await (await work.rehearse()).rehearse(context, inputs)
      : await (await work.bring()).bring(context, inputs);
    return { id: idOf(inputs), state };
  },

  async read(context, id, old) {
    const { readRelease } = await work.read();
    return readRelease(context, id, old);
  },

  async update(context, _id, old, inputs) {
    if (context.preview) return (await work.rehearse()).rehearse(context, inputs, old);
    return (await work.rollback()).bringOrBack(context, inputs, old);
  },

  async delete(context, _id, old) {
    const { destroy } = await work.destroy();
    await destroy(context, old);
  },
};

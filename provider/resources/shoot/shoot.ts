/** Shoot: a Gardener cluster, created, updated in place, awaited and deleted. */

import { hasUnknown, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { isAccessChanged } from "../../../kubernetes/identity/clusterAccess";
import { instanceOf } from "../../../kubernetes/identity/ownerId";
import { secretsOf } from "../../framework/resourceSchema";
import { diffShoot, isStateOnly, refuseReplacement } from "./diff";
import { checkShoot, shootId, type ShootInputs, type ShootState } from "./inputs";
import { schema } from "./shootSchema";

// The code that connects to Gardener is loaded on demand.
const work = {
  apply: () => import("./apply.js"),
  adopt: () => import("./adopt.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

export const shoot: ResourceHandler<ShootInputs, ShootState> = {
  secretProperties: secretsOf(schema),

  check(_context, given, origin) {
    const { inputs, failures } = checkShoot(given);
    const before = origin?.old as Partial<ShootInputs> | undefined;
    if (before?.shoot !== undefined && failures.length === 0) {
      refuseReplacement({ shoot: before.shoot }, inputs as unknown as ShootInputs);
    }
    const instance = instanceOf(origin, given["adopt"]);
    return Promise.resolve({ inputs: instance === undefined ? inputs : { ...inputs, instance }, failures });
  },

  diff(_context, _id, old, inputs) {
    const difference = diffShoot(old.inputs, inputs);
    // After a failed update, another one must run even without changes.
    const isOpen = old.state.incomplete === true;
    if (!isOpen || Object.keys(difference.changes).length > 0) return Promise.resolve(difference);
    return Promise.resolve({ changes: { incomplete: "update" } });
  },

  async create(context, inputs) {
    if (inputs.adopt !== undefined && !hasUnknown(inputs)) {
      const { adoptShoot } = await work.adopt();
      return { id: context.preview ? "" : shootId(inputs), state: await adoptShoot(context, inputs) };
    }
    const { applyShoot, previewShoot } = await work.apply();
    if (context.preview) return { id: "", state: await previewShoot(context, inputs) };
    return { id: shootId(inputs), state: await applyShoot(context, inputs) };
  },

  async read(context, id, old) {
    const { readShoot } = await work.read();
    return readShoot(context, id, old);
  },

  async update(context, _id, old, inputs) {
    const isSettled = old.state.uid !== undefined && old.state.incomplete !== true;
    if (isSettled && !isAccessChanged(old.inputs, inputs) && isStateOnly(diffShoot(old.inputs, inputs))) {
      return { ...old.state, ...inputs };
    }
    const { applyShoot, previewShoot } = await work.apply();
    return (context.preview ? previewShoot : applyShoot)(context, inputs, old.state);
  },

  async delete(context, _id, old) {
    const { destroyShoot } = await work.destroy();
    await destroyShoot(context, old);
  },
};

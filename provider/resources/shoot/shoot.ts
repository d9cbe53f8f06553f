/** Shoot: a Gardener cluster, created, updated in place, awaited and deleted. */

import { changesBetween, topKey } from "../../../foundation/pulumi/changes";
import { hasUnknown, type ResourceHandler, type Difference } from "../../../foundation/pulumi/resource";
import { fixedChanges } from "../../../kubernetes/gardener/immutable";
import { shootRef } from "../../../kubernetes/gardener/shoot";
import { isAccessChanged, isAccessField } from "../../../kubernetes/identity/clusterAccess";
import { withInstance } from "../../../kubernetes/identity/ownerId";
import { describe } from "../../../kubernetes/objects/objects";
import { recordChanges } from "../../framework/record";
import { secretsOf } from "../../framework/resourceSchema";
import { checkShoot, shootId, type ShootInputs, type ShootState } from "./inputs";
import { schema } from "./shootSchema";

// Compares two versions of a Shoot's inputs. Pure.

/** Inputs that only affect other changes. A change of them alone needs no update. */
const SILENT = new Set([
  "operationId",
  "timeouts",
  "allowForceDeletion",
  "instance",
  "wait",
  "adopt",
  "expectedGardenUid",
]);

function diffShoot(old: ShootInputs, inputs: ShootInputs): Difference {
  const { record: recorded, ...oldRest } = old;
  const { record, ...rest } = inputs;
  const changes = { ...changesBetween(oldRest, rest), ...recordChanges(recorded, record) };
  const isIdle = Object.keys(changes).every((path) => SILENT.has(topKey(path)));
  // If the last update did not wait for the Shoot, this one must check it.
  const mustLook = old.wait === false && inputs.wait !== false;
  return { changes: isIdle && !mustLook ? {} : changes };
}

/** Whether the changes only affect the state, and need nothing from Gardener. */
function isStateOnly({ changes }: Difference): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every((path) => isAccessField(path) || topKey(path) === "record");
}

/**
 * Throws if the change would need a different cluster: a cluster is never replaced. Not part of the diff, by which a
 * refresh shows how the live Shoot differs.
 */
function refuseReplacement(old: Pick<ShootInputs, "shoot">, inputs: Pick<ShootInputs, "shoot">): void {
  if (hasUnknown([old.shoot, inputs.shoot])) return; // The update checks again.
  const faults = fixedChanges(old.shoot, inputs.shoot);
  if (faults.length === 0) return;
  const { namespace = "", name } = old.shoot.metadata;
  throw new Error(
    `${describe(shootRef(namespace, name))} can't change so in place, and a cluster is never replaced by itself:\n` +
      faults.map((fault) => `  - ${fault}`).join("\n") +
      "\nRestore these, or create another deployment and destroy this one",
  );
}

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
    const checked = checkShoot(given);
    const before = origin?.old as Partial<ShootInputs> | undefined;
    if (before?.shoot !== undefined && checked.failures.length === 0) {
      refuseReplacement({ shoot: before.shoot }, checked.inputs as unknown as ShootInputs);
    }
    return Promise.resolve(withInstance(checked, origin));
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
    return (await work.read()).readShoot(context, id, old);
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

/** Compares two versions of a Shoot's inputs. Pure. */

import { hasUnknown } from "../../../foundation/pulumi/resource";
import type { Difference } from "../../../foundation/pulumi/resource";
import { describe } from "../../../kubernetes/objects/objects";
import { fixedChanges } from "../../../kubernetes/gardener/immutable";
import { shootRef } from "../../../kubernetes/gardener/shoot";
import { isAccessField } from "../../../kubernetes/identity/clusterAccess";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { recordChanges } from "../../framework/record";
import type { ShootInputs } from "./inputs";

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

export function diffShoot(old: ShootInputs, inputs: ShootInputs): Difference {
  const { record: recorded, ...oldRest } = old;
  const { record, ...rest } = inputs;
  const changes = { ...changesBetween(oldRest, rest), ...recordChanges(recorded, record) };
  const isIdle = Object.keys(changes).every((path) => SILENT.has(topOf(path)));
  // If the last update did not wait for the Shoot, this one must check it.
  const mustLook = old.wait === false && inputs.wait !== false;
  return { changes: isIdle && !mustLook ? {} : changes };
}

const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

/** Whether the changes only affect the state, and need nothing from Gardener. */
export function isStateOnly({ changes }: Difference): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every((path) => isAccessField(path) || topOf(path) === "record");
}

/**
 * Throws if the change would need a different cluster: a cluster is never replaced. Not part of the diff, by which a
 * refresh shows how the live Shoot differs.
 */
export function refuseReplacement(old: Pick<ShootInputs, "shoot">, inputs: Pick<ShootInputs, "shoot">): void {
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

/** What changed between two versions of a Shoot's inputs. Pure. */

import { hasUnknown } from "../../../foundation/pulumi/resource";
import type { Difference } from "../../../foundation/pulumi/resource";
import { describe } from "../../../kubernetes/client/objects";
import { fixedChanges } from "../../../kubernetes/gardener/immutable";
import { shootRef } from "../../../kubernetes/gardener/shoot";
import { isWay } from "../../../kubernetes/identity/way";
import { changesBetween } from "../../framework/changes";
import { recordChanges } from "../../framework/record";
import type { ShootInputs } from "./inputs";

/** They matter to a change and are none by themselves. */
const SILENT = new Set(["operationId", "timeouts", "allowForceDeletion", "instance", "wait", "adopt"]);

/** Throws if the cluster would have to be another one: it is never replaced. */
export function diffShoot(old: ShootInputs, inputs: ShootInputs): Difference {
  refuseReplacement(old, inputs);
  const { record: recorded, ...oldRest } = old;
  const { record, ...rest } = inputs;
  const changes = { ...changesBetween(oldRest, rest), ...recordChanges(recorded, record) };
  const isIdle = Object.keys(changes).every((path) => SILENT.has(topOf(path)));
  // Whoever did not wait before must look now.
  const mustLook = old.wait === false && inputs.wait !== false;
  return { changes: isIdle && !mustLook ? {} : changes };
}

const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

/** Whether nothing of it is to be done in Gardener: what changed is only kept in the state. */
export function isStateOnly({ changes }: Difference): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every((path) => isWay(path) || topOf(path) === "record");
}

function refuseReplacement(old: ShootInputs, inputs: ShootInputs): void {
  if (hasUnknown(inputs.shoot)) return; // The update looks again.
  const faults = fixedChanges(old.shoot, inputs.shoot);
  if (faults.length === 0) return;
  const { namespace = "", name } = old.shoot.metadata;
  throw new Error(
    `${describe(shootRef(namespace, name))} can't change so in place, and a cluster is never replaced by itself:\n` +
      faults.map((fault) => `  - ${fault}`).join("\n") +
      "\nRestore these, or create another deployment and destroy this one",
  );
}

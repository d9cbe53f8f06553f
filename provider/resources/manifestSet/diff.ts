/** Compares two versions of a set's inputs. Pure: most updates find nothing to do. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import { recordChanges } from "../../framework/record";
import { hasUnknown, type ChangeKind, type Difference } from "../../../foundation/pulumi/resource";
import { isAccessField } from "../../../kubernetes/identity/clusterAccess";
import { isCore, isList } from "../../../kubernetes/objects/objects";
import type { SetInputs } from "../../../kubernetes/apply/set";
import { isObject } from "../../../foundation/json/isObject";

/** A change of these makes it a different set, so it is replaced. */
const REPLACES = ["name", "namespace"];
/**
 * Inputs that only affect other changes: time limits, protection, permissions and adoption. A change of them alone
 * needs no update.
 */
const SILENT = new Set([
  "timeoutSeconds",
  "protectData",
  "allowMove",
  "adopt",
  "disk",
  "expectedClusterUid",
  "removeFirst",
  "shared",
  "retained",
]);

/**
 * Compares the inputs without checking whether the cluster changed, see identity/. `withheld`: namespaces whose labels
 * the last update could not apply yet; the next one retries them.
 */
export function diffSet(old: SetInputs, inputs: SetInputs, withheld: readonly string[] = []): Difference {
  const { objects: before = [], record: recorded, ...oldRest } = old;
  const { objects: after, record, ...rest } = inputs;
  const changes = changesBetween(oldRest, rest, REPLACES);
  Object.assign(changes, recordChanges(recorded, record), objectChanges(before, after));
  if (isList(after)) {
    for (const [index, object] of after.entries()) {
      if (isCore(object, "Namespace") && withheld.includes(object.metadata.name))
        changes[`objects[${index}].metadata.labels`] = "update";
    }
  }
  const mayKeep = inputs.claimsWhenSmaller === "Keep";
  // If larger claims may no longer stay, the update must check the cluster.
  const isIdle = (path: string): boolean => SILENT.has(path) || (path === "claimsWhenSmaller" && mayKeep);
  if (Object.keys(changes).every(isIdle)) return { changes: {} };
  return { changes };
}

/** Whether the changes only affect the state, provided that the cluster is the same. */
export function isStateOnly(changes: Difference["changes"]): boolean {
  const paths = Object.keys(changes);
  return (
    paths.length > 0 && paths.every((path) => isAccessField(path) || SILENT.has(path) || /^record(?:$|[.[])/.test(path))
  );
}

/**
 * Returns paths such as `objects[2].spec.replicas` if the same object is at this index. If a different object is there
 * now, returns `objects[2]` as a whole, because a comparison of different kinds field by field is meaningless.
 */
function objectChanges(before: unknown, after: unknown): Record<string, ChangeKind> {
  if (!Array.isArray(before) || !Array.isArray(after)) return changesBetween({ objects: before }, { objects: after });
  const changes: Record<string, ChangeKind> = {};
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [old, next] = [before[index] as unknown, after[index] as unknown];
    const path = `objects[${index}]`;
    if (index >= before.length) changes[path] = "add";
    else if (index >= after.length) changes[path] = "delete";
    else if (nameOf(old) !== nameOf(next)) changes[path] = "update";
    else {
      for (const [field, kind] of Object.entries(changesBetween({ objects: old }, { objects: next }))) {
        changes[path + field.slice("objects".length)] = kind;
      }
    }
  }
  return changes;
}

/** Identifies an object. All unknown objects have the same identity. */
function nameOf(object: unknown): string {
  if (!isObject(object)) return "";
  const { kind, metadata } = object;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const parts = [kind, namespace ?? "", name];
  return hasUnknown(parts) ? "" : parts.join("/");
}

/** What changed between two versions of a set's inputs. Pure: most updates find nothing to do. */

import { changesBetween } from "../../framework/changes";
import { recordChanges } from "../../framework/record";
import type { ChangeKind, Difference } from "../../../foundation/pulumi/resource";
import { hasUnknown } from "../../../foundation/pulumi/resource";
import { isWay } from "../../../kubernetes/identity/way";
import { isCore, isList } from "../../../kubernetes/client/objects";
import type { SetInputs } from "../../../kubernetes/apply/set";
import { isObject } from "../../../foundation/json/isObject";

/** The set would be another one, at another place. */
const REPLACES = ["name", "namespace"];
/** How long one is ready to wait, what is protected or permitted, and how it came to be, matters to another change; by itself it is nothing to do. */
const SILENT = new Set(["timeoutSeconds", "protectData", "allowMove", "adopt", "removeFirst"]);

/**
 * Without regard to whether the cluster is another one, see identity/.
 * `withheld`: what the last update could not apply yet, and the next one tries again.
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
  // That larger claims may stay no longer is asked of the cluster.
  const isIdle = (path: string): boolean => SILENT.has(path) || (path === "claimsWhenSmaller" && mayKeep);
  if (Object.keys(changes).every(isIdle)) return { changes: {} };
  return { changes };
}

/** Whether nothing of it is to be done in a cluster that is the same: what changed is only kept in the state. */
export function isStateOnly(changes: Difference["changes"]): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every((path) => isWay(path) || SILENT.has(path) || /^record(?:$|[.[])/.test(path));
}

/**
 * Paths such as `objects[2].spec.replicas` while the same object stands at the same place. Where another one stands there
 * now, `objects[2]` as a whole: field by field that would say how a Service differs from an Ingress.
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

/** What an object is called; all objects that are not known yet are called the same. */
function nameOf(object: unknown): string {
  if (!isObject(object)) return "";
  const { kind, metadata } = object;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const parts = [kind, namespace ?? "", name];
  return hasUnknown(parts) ? "" : parts.join("/");
}

/** Compares an object of another stack with the one that this stack would have applied. Pure. */

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../foundation/json/isObject";
import { describe, type KubeObject, refOf } from "../objects/objects";
import { withoutOwnerId } from "../identity/ownerId";
import type { SetOwner } from "../owners/ownership";

/** A warning if the live object does not have what is wanted; empty if it has. */
export function sharedWarnings(
  { owner }: { readonly owner: SetOwner },
  live: KubeObject,
  wanted: KubeObject,
): string[] {
  const missing = differences(live, withoutOwnerId(wanted), "");
  if (missing.length === 0) return [];
  return [
    `${describe(refOf(live))} belongs to another stack and stays as it is; it differs in ${missing.join(", ")}. ` +
      `To take it over on purpose: ${owner.adopt}`,
  ];
}

/** Paths of wanted fields that the live object has not, or with another value. */
function differences(live: unknown, wanted: unknown, path: string): string[] {
  if (!isObject(wanted)) return isDeepStrictEqual(live, wanted) ? [] : [path];
  if (!isObject(live)) return Object.keys(wanted).length === 0 && live === undefined ? [] : [path];
  return Object.entries(wanted).flatMap(([key, value]) =>
    differences(live[key], value, path === "" ? key : `${path}.${key}`),
  );
}

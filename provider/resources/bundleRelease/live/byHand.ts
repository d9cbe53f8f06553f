/** Fields of a release that somebody changed manually. */

import { isFieldConflict } from "../../../../kubernetes/client/apiError";
import type { Earlier } from "../earlier";
import type { Recorded } from "../state";

/**
 * `kubectl edit`, `patch`, `scale`, `set` and the like, as the API server names a manager that updates. Who applies, whether
 * by kubectl or not, and controllers such as the HorizontalPodAutoscaler mean to keep their fields.
 */
const BY_HAND = /conflict with "kubectl(-(?!client-side-apply)[a-z-]+)?"( with subresource "[^"]+")? using /;

const isByHand = (error: unknown): boolean =>
  isFieldConflict(error) && error.causes.every(({ message }) => BY_HAND.test(message));

interface Restored {
  readonly force: boolean;
  /** A refresh found it changed: what was changed manually is taken back. */
  readonly restore: boolean;
}

/** Applies, and applies again with force where only changes manually are in the way of what a refresh found. */
export async function takingBack<T>(
  { force, restore }: Restored,
  apply: (options: { readonly force: boolean }) => Promise<T>,
): Promise<T> {
  try {
    return await apply({ force });
  } catch (error) {
    if (!restore || !isByHand(error)) throw error;
    return apply({ force: true });
  }
}

/** Keys of the objects that a refresh found changed. */
export function driftedIn(old: Earlier | undefined, records: readonly Recorded[]): ReadonlySet<string> {
  if (old?.inputs?.drift === undefined) return new Set();
  return new Set(records.filter(({ fingerprint }) => fingerprint === "").map(({ key }) => key));
}

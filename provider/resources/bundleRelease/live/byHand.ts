/** Fields of a release that a user changed manually. */

import { isFieldConflict } from "../../../../kubernetes/client/apiError";
import type { Earlier } from "../earlier";
import type { Recorded } from "../state";

/**
 * Managers of `kubectl edit`, `patch`, `scale`, `set` and the like. Managers that apply, and controllers such as the
 * HorizontalPodAutoscaler, keep their fields on purpose.
 */
const BY_HAND = /conflict with "kubectl(-(?!client-side-apply)[a-z-]+)?"( with subresource "[^"]+")? using /;

/** Whether a conflict is only with fields that somebody changed manually. */
export const isByHand = (error: unknown): boolean =>
  isFieldConflict(error) && error.causes.every(({ message }) => BY_HAND.test(message));

interface Restored {
  readonly force: boolean;
  /** A refresh found drift: revert manual changes. */
  readonly restore: boolean;
}

/** Applies an object, and forces the conflict if it is only with manual changes that a refresh found. */
export async function revertingManualChanges<T>(
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

/** Keys of the objects in which a refresh found drift. */
export function driftedIn(old: Earlier | undefined, records: readonly Recorded[]): ReadonlySet<string> {
  if (old?.inputs?.drift === undefined) return new Set();
  return new Set(records.filter(({ fingerprint }) => fingerprint === "").map(({ key }) => key));
}

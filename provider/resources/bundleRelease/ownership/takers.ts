/**
 * Objects that leave a release because another one takes them over. They stay, regardless of the order of the two
 * updates: they keep the labels of this release, by which the other one finds them, until it has taken them over. Pure.
 */

import { describe, type Ref } from "../../../../kubernetes/objects/objects";
import type { Work } from "../../../../kubernetes/work/work";
import { mayTakeOver } from "./adopt";
import type { ReleaseInputs } from "../inputs";

type Giver = Pick<ReleaseInputs, "namespace" | "name" | "takers">;

/** Returns the release that takes the object over. */
export function takerOf(ref: Ref, { namespace, name, takers = [] }: Giver): string | undefined {
  return takers.find(({ adopt }) => mayTakeOver(`${namespace}/${name}`, ref, adopt))?.bundle;
}

/** Splits objects into those to delete, and those that another release takes over. */
export function parted(refs: readonly Ref[], giver: Giver): { readonly going: Ref[]; readonly taken: Ref[] } {
  const isTaken = (ref: Ref): boolean => takerOf(ref, giver) !== undefined;
  return { going: refs.filter((ref) => !isTaken(ref)), taken: refs.filter(isTaken) };
}

export function logTaken({ log }: Work, taken: readonly Ref[], giver: Giver): void {
  if (taken.length === 0) return;
  const lines = taken.map((ref) => `  ${describe(ref)} (bundle ${takerOf(ref, giver) ?? ""})`);
  log("info", [`leaves to others (${taken.length}):`, ...lines].join("\n"));
}

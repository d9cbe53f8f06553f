/**
 * Objects that leave a release because another one takes them over. They stay, whichever of the two comes first: until the
 * other one has them they keep the labels of this one, and are found by these again. Pure.
 */

import { describe, type Ref } from "../../../../kubernetes/client/objects";
import type { Work } from "../../../../kubernetes/apply/site";
import { mayTakeOver } from "./adopt";
import type { ReleaseInputs } from "../inputs";

type Giver = Pick<ReleaseInputs, "namespace" | "name" | "takers">;

/** Who takes it over. */
export function takerOf(ref: Ref, { namespace, name, takers = [] }: Giver): string | undefined {
  return takers.find(({ adopt }) => mayTakeOver(`${namespace}/${name}`, ref, adopt))?.bundle;
}

/** What is to be removed, and what is another user's from now on. */
export function parted(refs: readonly Ref[], giver: Giver): { readonly going: Ref[]; readonly taken: Ref[] } {
  const isTaken = (ref: Ref): boolean => takerOf(ref, giver) !== undefined;
  return { going: refs.filter((ref) => !isTaken(ref)), taken: refs.filter(isTaken) };
}

export function logTaken({ log }: Work, taken: readonly Ref[], giver: Giver): void {
  if (taken.length === 0) return;
  const lines = taken.map((ref) => `  ${describe(ref)} (bundle ${takerOf(ref, giver) ?? ""})`);
  log("info", [`leaves to others (${taken.length}):`, ...lines].join("\n"));
}

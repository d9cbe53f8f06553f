/** Content of a release that was completely applied before. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import { contentOf, valuesOf, type Content, type ReleaseInputs, type ReleaseState } from "./inputs";

/** Inputs and state after the last update. */
export interface Earlier {
  readonly inputs: ReleaseInputs;
  readonly state: ReleaseState;
}

/** Compares the content, whatever its source. */
export const isSameContent = (a: Content, b: Content): boolean =>
  a.digest === b.digest && a.format === b.format && Object.keys(changesBetween(valuesOf(a), valuesOf(b))).length === 0;

/** Returns the content of the last complete update. */
export function wholeBefore(old: Earlier | undefined): Content | undefined {
  if (old?.state.incomplete) return old.state.incomplete.before;
  return old && contentOf(old.state);
}

/** Returns the inputs that the current objects were created from. A later content may have been rolled back. */
export const appliedInputs = ({ inputs, state }: Earlier): ReleaseInputs =>
  isSameContent(inputs, state) ? inputs : { ...inputs, ...contentOf(state) };

/** What of a release's content was there before, and was completed. */

import { changesBetween } from "../../framework/changes";
import { contentOf, valuesOf, type Content, type ReleaseInputs, type ReleaseState } from "./inputs";

/** Inputs and state of the last update, on the next one. */
export interface Earlier {
  readonly inputs: ReleaseInputs;
  readonly state: ReleaseState;
}

/** Wherever it is had. */
export const isSameContent = (a: Content, b: Content): boolean =>
  a.digest === b.digest && a.format === b.format && Object.keys(changesBetween(valuesOf(a), valuesOf(b))).length === 0;

/** The content that was completed last. */
export function wholeBefore(old: Earlier | undefined): Content | undefined {
  if (old?.state.incomplete) return old.state.incomplete.before;
  return old && contentOf(old.state);
}

/** The inputs that what exists was made from: another content may have been asked for last, and taken back. */
export const appliedInputs = ({ inputs, state }: Earlier): ReleaseInputs =>
  isSameContent(inputs, state) ? inputs : { ...inputs, ...contentOf(state) };

/** An update that does not come to be ready, and is taken back to the content that was there before. */

import { changesBetween } from "../../framework/changes";
import { IncompleteError } from "../../framework/resource";
import type { Context } from "../../framework/resource";
import { bring } from "./bring";
import type { Earlier } from "./bring";
import { idOf, valuesOf } from "./inputs";
import type { ReleaseInputs, ReleaseState } from "./inputs";

/** As {@link bring}; with `rollback: auto` what fails half-way is undone. It is an error all the same. */
export async function bringOrBack(context: Context, inputs: ReleaseInputs, old: Earlier): Promise<ReleaseState> {
  try {
    return await bring(context, inputs, old);
  } catch (error) {
    const isAnother = old.inputs.digest !== inputs.digest || !sameValues(old.inputs, inputs);
    if (inputs.rollback !== "auto" || !isAnother || context.signal.aborted || !(error instanceof IncompleteError))
      throw error;
    context.log("warning", `${error.message}. Goes back to ${old.inputs.digest}`);
    // The way to the cluster is today's; the content, and where it is had, are those of before.
    const { sources, credentials, format, digest, sourceDigests } = old.inputs;
    const content = { sources, credentials, format, digest, sourceDigests };
    const before: ReleaseInputs = { ...inputs, ...content };
    const state = await again(context, before, { inputs, state: error.state as ReleaseState }, error);
    throw new IncompleteError(`${error.message}. It was taken back to ${digest}`, idOf(inputs), state);
  }
}

const sameValues = (a: ReleaseInputs, b: ReleaseInputs): boolean =>
  Object.keys(changesBetween(valuesOf(a), valuesOf(b))).length === 0;

async function again(context: Context, before: ReleaseInputs, half: Earlier, first: Error): Promise<ReleaseState> {
  try {
    // It was in the cluster already: nobody is asked again before it is there as a whole.
    return await bring(context, before, half, { back: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${first.message}. It could not be taken back to ${before.digest}: ${why}`;
    throw new IncompleteError(message, idOf(before), error instanceof IncompleteError ? error.state : half.state);
  }
}

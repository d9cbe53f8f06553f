/** An update that does not come to be ready, and is taken back to the content that was there before. */

import { IncompleteError } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import { applyRelease } from "./applyRelease";
import { isSameContent } from "./earlier";
import type { Earlier } from "./earlier";
import { idOf } from "./inputs";
import type { ReleaseInputs, ReleaseState } from "./inputs";

/** As {@link applyRelease}; with `rollback: auto` what fails half-way is undone. It is an error anyway. */
export async function applyOrRollBack(
  context: Context,
  inputs: ReleaseInputs,
  ownerId: string,
  old: Earlier,
): Promise<ReleaseState> {
  const began = Date.now();
  try {
    return await applyRelease(context, inputs, ownerId, old);
  } catch (error) {
    if (inputs.rollback !== "auto" || context.signal.aborted || !(error instanceof IncompleteError)) throw error;
    const half = error.state as ReleaseState;
    const content = half.incomplete?.before;
    // What never was completed is nothing to go back to, and the same again is nothing else.
    if (content === undefined || isSameContent(content, inputs)) throw error;
    // Without what was made until then: that goes back, too.
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    context.log("warning", `${why}. Goes back to ${content.digest}`);
    // The way to the cluster is today's; the content, and where and with what it is had, are those of before.
    const before: ReleaseInputs = { ...inputs, ...content };
    const state = await again(context, before, ownerId, { inputs, state: half }, { error, began });
    throw new IncompleteError(`${why}. It was rolled back to ${content.digest}`, idOf(inputs), state);
  }
}

interface Failed {
  readonly error: Error;
  /** When the update began that failed. */
  readonly began: number;
}

async function again(
  context: Context,
  before: ReleaseInputs,
  ownerId: string,
  half: Earlier,
  { error: first, began }: Failed,
): Promise<ReleaseState> {
  try {
    // It was in the cluster already: nobody is asked again before it is there as a whole.
    return await applyRelease(context, before, ownerId, half, { backTo: began });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${first.message}. It could not be rolled back to ${before.digest}: ${why}`;
    throw new IncompleteError(message, idOf(before), error instanceof IncompleteError ? error.state : half.state);
  }
}

/** Rolls a failed update back to the previous content. */

import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { applyRelease } from "./applyRelease";
import { isSameContent, type Earlier } from "./earlier";
import { releaseId, type ReleaseInputs, type ReleaseState } from "./inputs";

/** Like {@link applyRelease}; with `rollback: auto`, a failed update is undone. It still throws. */
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
    // Without complete earlier content there is nothing to roll back to, and the same content would fail again.
    if (content === undefined || isSameContent(content, inputs)) throw error;
    // Use the cause: the list of created objects in the message is about to be rolled back.
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    context.log("warning", `${why}. Goes back to ${content.digest}`);
    // Use the current connection to the cluster, and everything else from the earlier content.
    const before: ReleaseInputs = { ...inputs, ...content };
    const state = await again(context, before, ownerId, { inputs, state: half }, { error, began });
    throw new IncompleteError(`${why}. It was rolled back to ${content.digest}`, releaseId(inputs), state);
  }
}

interface Failed {
  readonly error: Error;
  /** Start of the failed update. */
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
    // The content was applied before, so its approval is not requested again.
    return await applyRelease(context, before, ownerId, half, { backTo: began });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${first.message}. It could not be rolled back to ${before.digest}: ${why}`;
    throw new IncompleteError(message, releaseId(before), error instanceof IncompleteError ? error.state : half.state);
  }
}

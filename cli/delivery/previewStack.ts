import type { Context } from "../context";
import { UsageError } from "../../foundation/errors";
import { acquireFor, type LockAttempt } from "../lock/guard";
import { isQuiet } from "./report";
import { review } from "./review/review";
import { describedStack, type DescribedStack } from "../project/stacks";
import type { PreviewFlags } from "./options";

export async function preview(context: Context, id: string, options: PreviewFlags): Promise<void> {
  if (options.lock && options.comment === undefined) {
    throw new UsageError("found --lock without --comment; expected the number of the pull request that gets the lock");
  }
  const stack = await describedStack(context.root, id);
  // Acquired before the preview, so that its result stays valid until the deployment.
  const lock = options.lock ? await lockFor(context, stack, options) : undefined;
  const refused = lock?.refused?.message;
  const report = await review(context, stack, { ...options, ...(refused !== undefined && { lockedBy: refused }) });
  if (isQuiet(report)) await lock?.release();
  else if (lock?.refused) throw lock.refused;
}

function lockFor(context: Context, { project, name }: DescribedStack, options: PreviewFlags): Promise<LockAttempt> {
  const holder = options.comment === undefined ? {} : { pullRequest: options.comment };
  return acquireFor(context, { project, stack: name }, holder);
}

/**
 * Parts of a runtime that belong to another stack. A runtime has one owner, but not each of its parts changes with each
 * change: the state may be a copy, also if it is the owner of another part by the record of that part. So a destroy that
 * has left one part alone leaves the others too.
 */

import type { Context } from "../../foundation/pulumi/resource";
import { RUNTIMES, stackIn } from "../../kubernetes/owners/record";

type Run = Pick<Context, "signal" | "urn">;

const left = new WeakMap<AbortSignal, string>();

/** Notes a part that the run leaves alone. `why` names its owner. A platform's parts may have several owners. */
export function noteForeignPart({ signal, urn }: Run, why: string): void {
  if (stackIn(urn).startsWith(`${RUNTIMES}/`)) left.set(signal, why);
}

export const foreignPart = ({ signal }: Pick<Run, "signal">): string | undefined => left.get(signal);

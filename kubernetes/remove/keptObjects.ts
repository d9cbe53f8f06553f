/** Messages about objects that a removal keeps because they belong to another owner. */

import { describe, type Ref } from "../objects/objects";

export const keptObjectText = (ref: Ref, reason: string): string => keptText(describe(ref), reason);

/** The same for what is not in a cluster. */
export const keptText = (what: string, reason: string): string => `left ${what} alone: ${reason}`;

export const isKeptObjectText = (message: string): boolean => /^left .+ alone: /.test(message);

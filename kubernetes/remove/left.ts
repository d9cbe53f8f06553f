/** Objects that a removal leaves in the cluster because they are another owner's, for the message and for who reads it. */

import { describe } from "../client/objects";
import type { Ref } from "../client/objects";

export const leftText = (ref: Ref, reason: string): string => `left ${describe(ref)} alone: ${reason}`;

export const isLeft = (message: string): boolean => /^left .+ alone: /.test(message);

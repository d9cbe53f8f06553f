/** What a rule says of a live object. */

import type { KubeObject } from "../../kubernetes/client/objects";

export interface Verdict {
  readonly holds: boolean;
  /** What it looked at and what that was, for users. */
  readonly found: string;
  /** Why it can't say anything of this object, now or later. */
  readonly broken?: string;
}

export interface Rule {
  judge(live: KubeObject): Verdict;
}

export const SHAPES =
  'CEL over the object as self, such as self.status.phase == "Running", or a JSONPath as kubectl wait has it, such as ' +
  "{.status.phase}=Running";

/** A rule that can't be read. */
export class RuleFault extends Error {}

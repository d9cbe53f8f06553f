/** Result of a rule for a live object. */

import type { KubeObject } from "../../kubernetes/objects/objects";

export interface RuleVerdict {
  readonly holds: boolean;
  /** The values that the rule used, for messages. */
  readonly found: string;
  /** Why the rule can't be evaluated for this object, now or later. */
  readonly broken?: string;
}

export interface ObjectRule {
  judge(live: KubeObject): RuleVerdict;
}

export const SHAPES =
  'CEL over the object as self, such as self.status.phase == "Running", or a JSONPath as kubectl wait has it, such as ' +
  "{.status.phase}=Running";

/** An invalid rule. */
export class RuleFault extends Error {}

import type { Finding } from "../foundation/iam/finding";

export type { Finding };

/** A resource as a rule sees it: what the program asks for, before anything is made. */
export interface Asked {
  /** Type token, such as `aws:eks/cluster:Cluster`. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly stack: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Whether the engine refuses to delete or replace it. */
  readonly isProtected: boolean;
}

/** One mistake that is stopped. Pure. */
export interface Rule {
  readonly name: string;
  readonly description: string;
  readonly check: (asked: Asked) => Finding[];
}

/** What a resource lacks as a whole. */
export const whole = (message: string): Finding[] => [{ part: "", message }];

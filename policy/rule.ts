import type { Finding } from "../foundation/iam/finding";

export type { Finding };

/** A resource as a rule sees it: what the program declares, before anything is created. */
export interface Asked {
  /** Type token, such as `aws:eks/cluster:Cluster`. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly stack: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Whether the resource option `protect` is set. */
  readonly isProtected: boolean;
}

/** A policy rule. Pure. */
export interface Rule {
  readonly name: string;
  readonly description: string;
  readonly check: (asked: Asked) => Finding[];
}

/** A finding for the resource as a whole. */
export const wholeFinding = (message: string): Finding[] => [{ part: "", message }];

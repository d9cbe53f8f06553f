import { objectIn } from "../../foundation/json/isObject";

/** The holder of a stack's lock: a pull request, or a user who works without one. */
export interface LockHolder {
  /** `ada@laptop`, or the user name on GitHub. */
  readonly user: string;
  /** Number of the pull request that holds the lock. */
  readonly pullRequest?: number;
}

/**
 * The lock of a stack: only its holder deploys to the stack until it is released. Pulumi's own lock covers one update;
 * this one covers the time from the review of a change to its deployment.
 */
export interface StackLock extends LockHolder {
  readonly project: string;
  readonly stack: string;
  /** When the lock was acquired. */
  readonly since: string;
  /** The holder's reason for the lock. */
  readonly reason?: string;
}

/** A lock as stored in the backend. */
export interface KeptLock {
  readonly lock: StackLock;
  /** Its exact text. No later lock of the same stack has the same text. */
  readonly text: string;
}

export const isHeldBy = (lock: LockHolder, holder: LockHolder): boolean =>
  lock.pullRequest === undefined && holder.pullRequest === undefined
    ? lock.user === holder.user
    : lock.pullRequest === holder.pullRequest;

/** `pull request 7 (ada)`, or `ada@laptop`. */
export const describeHolder = ({ user, pullRequest }: LockHolder): string =>
  pullRequest === undefined ? user : `pull request ${pullRequest} (${user})`;

/** `stackyard/prod is locked by pull request 7 (ada) since 2026-01-01T00:00:00Z: a larger pool`. */
export const describeStackLock = (lock: StackLock): string =>
  `${lock.project}/${lock.stack} is locked by ${describeHolder(lock)} since ${lock.since}` +
  (lock.reason === undefined ? "" : `: ${lock.reason}`);

export const renderStackLock = (lock: StackLock): string => `${JSON.stringify(lock)}\n`;

/** Parses the lock of a stack. An invalid text also counts as a lock, with an unknown holder. */
export function parseStackLock(text: string, project: string, stack: string): KeptLock {
  const { user, pullRequest, since, reason } = objectIn(text);
  const lock = {
    project,
    stack,
    user: typeof user === "string" && user !== "" ? user : "an unknown holder (its file is damaged)",
    ...(Number.isSafeInteger(pullRequest) && { pullRequest: pullRequest as number }),
    since: typeof since === "string" && since !== "" ? since : "an unknown time",
    ...(typeof reason === "string" && { reason }),
  };
  return { lock, text };
}

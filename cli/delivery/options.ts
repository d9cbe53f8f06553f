import type { ReviewOptions } from "./review/review";

export interface AffectedOptions {
  readonly since: string;
  readonly json?: boolean;
}

export interface PreviewFlags extends ReviewOptions {
  /** Whether to acquire the lock of the stack, for the pull request that is commented on. */
  readonly lock?: boolean;
}

export interface DriftFlags {
  readonly issue?: boolean;
}

export interface PromoteFlags extends ReviewOptions {
  readonly preview?: boolean;
  readonly plan?: string;
  readonly yes?: boolean;
  readonly anyCommit?: boolean;
  /** The pull request whose lock of the stack allows this. */
  readonly pullRequest?: number;
}

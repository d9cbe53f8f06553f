import type { ReviewOptions } from "./review/review";

export interface AffectedOptions {
  readonly since: string;
  readonly json?: boolean;
}

export interface PreviewFlags extends ReviewOptions {
  /** Whether to acquire the stack's lock for the pull request. */
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
  /** The pull request that holds the stack's lock. */
  readonly pullRequest?: number;
}

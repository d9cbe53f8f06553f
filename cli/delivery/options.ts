import type { ReviewOptions } from "./review/review";

export interface AffectedOptions {
  readonly since: string;
  readonly json?: boolean;
}

export type PreviewFlags = ReviewOptions;

export interface DriftFlags {
  readonly issue?: boolean;
}

export interface PromoteFlags extends ReviewOptions {
  readonly preview?: boolean;
  readonly plan?: string;
  readonly yes?: boolean;
  readonly anyCommit?: boolean;
}

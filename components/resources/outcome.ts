/** How it went with a resource whose failure stops no other. */
export interface Outcome {
  /** Why it failed, or was skipped. */
  readonly failure?: string;
  /** What failed, where it was skipped for that. */
  readonly because?: string[];
  /** When it was last created or updated, in milliseconds since 1970. */
  readonly settledAt?: number;
}

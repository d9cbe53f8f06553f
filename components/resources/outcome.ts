/** Outcome of a resource whose failure does not stop others. */
export interface Outcome {
  /** Error, or reason why it was skipped. */
  readonly failure?: string;
  /** The failed dependencies that caused it to be skipped. */
  readonly because?: string[];
  /** Time of its last creation or update, in milliseconds since 1970. */
  readonly settledAt?: number;
}

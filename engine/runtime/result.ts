import { messageOf, type FailureKind } from "../../foundation/errors";

/** Result of one operation on one runtime, as `--json` prints it. */
export interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  /** Number of resources by kind of change. */
  readonly changes: Readonly<Record<string, number>>;
  /** Outputs of the stack; see `RuntimeOutputs`. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Error messages for users. */
  readonly errors: readonly string[];
  /** Kind of the errors; undefined if unknown. */
  readonly kind?: FailureKind;
  /**
   * Objects that a deletion kept in the cluster because another owner has them, each with the reason. Default: none.
   */
  readonly remaining?: readonly string[];
  /** Information that is not an error, such as a removed lock. */
  readonly notes: readonly string[];
}

/** True if an operation found nothing to change. */
export function isUnchanged({ changes }: Pick<Result, "changes">): boolean {
  return Object.entries(changes).every(([kind, number]) => kind === "same" || number === 0);
}

/** Result of an operation that did not run to its end. `started`: from `performance.now()`. */
export const failedResult = (id: string, error: unknown, started: number, kind?: FailureKind): Result => ({
  id,
  ok: false,
  milliseconds: Math.round(performance.now() - started),
  changes: {},
  outputs: {},
  errors: [typeof error === "string" ? error : messageOf(error)],
  notes: [],
  ...(kind && { kind }),
});

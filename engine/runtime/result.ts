import type { FailureKind } from "../../foundation/errors";

/** How one operation on one runtime ended; what `--json` prints. */
export interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  /** Number of resources by what was done with them. */
  readonly changes: Readonly<Record<string, number>>;
  /** Outputs of the stack; see `RuntimeOutputs`. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What went wrong, in plain words. */
  readonly errors: readonly string[];
  /** Kind of the errors; undefined if unknown. */
  readonly kind?: FailureKind;
  /** Objects that a destruction left in the cluster because they are another owner's, each with the reason. Default: none. */
  readonly remaining?: readonly string[];
  /** Things worth knowing that are no errors, such as a lock that was removed. */
  readonly notes: readonly string[];
}

/** Whether an operation found everything as it should be. */
export function isUnchanged({ changes }: Pick<Result, "changes">): boolean {
  return Object.entries(changes).every(([kind, number]) => kind === "same" || number === 0);
}

/** Exit codes of the CLI. 130 is the shell's for Ctrl-C; it stands for every end that came from outside. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/**
 * What a failure is about, for programs that decide by it: the request (`input`), a move that was not requested (`move`), the
 * platform's own config (`platform`), another user who works on the stack (`locked`) or changed it (`changed`), an engine or a
 * provider that ended in the middle (`ended`), the database of the state (`state`).
 */
export type FailureKind = "input" | "move" | "platform" | "locked" | "changed" | "ended" | "state";

/** Kind of the failure; undefined if unknown. */
export function kindOf(error: unknown): FailureKind | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error as { readonly kind?: FailureKind }).kind ?? kindOf(error.cause);
}

/** Something expected went wrong: reported by its message alone, without a stack trace. Exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    message: string,
    readonly kind?: FailureKind,
  ) {
    super(message);
  }
}

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly kind: FailureKind = "input";
}

/** The message of whatever was thrown. A connection tried on several addresses fails with one error for each. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

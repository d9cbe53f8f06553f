/** Exit codes of the CLI. 130 is the shell's code for Ctrl-C; the CLI uses it for every interruption from outside. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/**
 * The cause of a failure, for programs that act on it: an invalid request (`input`), a move that was not requested
 * (`move`), a deletion of protected data (`protected`), the platform's own config (`platform`), a stack that another user has locked (`locked`) or changed
 * (`changed`), an engine or provider process that exited early (`ended`), the database that stores the state (`state`).
 */
export type FailureKind = "input" | "move" | "protected" | "platform" | "locked" | "changed" | "ended" | "state";

/** The cause of a failure, from the error or its `cause`; undefined if unknown. */
export function failureKind(error: unknown): FailureKind | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error as { readonly kind?: FailureKind }).kind ?? failureKind(error.cause);
}

/** An expected failure: reported by its message alone, without a stack trace. Exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    message: string,
    readonly kind?: FailureKind,
  ) {
    super(message);
  }
}

/** An invalid command line. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly kind: FailureKind = "input";
}

/** The message of any thrown value. A connection attempted on several addresses fails with one error per address. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

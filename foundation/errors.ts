/** Exit codes of the CLI. 130 is the shell's for Ctrl-C; it stands for every end that came from outside. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/** Something expected went wrong: reported by its message alone, without a stack trace. Exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The message of whatever was thrown. A connection tried on several addresses fails with one error for each. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

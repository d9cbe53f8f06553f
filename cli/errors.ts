/** Exit codes of the CLI. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Something expected went wrong: told by its message alone, without a stack trace. Exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

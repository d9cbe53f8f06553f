import type { Context } from "./context";
import { EXIT, messageOf, UsageError } from "../foundation/errors";
import { Interrupted } from "../engine/interrupt";

/** Thrown by the language and not by anybody who wrote a message for a user. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

const isBug = (error: unknown): boolean => !(error instanceof Error) || BUGS.some((bug) => error instanceof bug);

/**
 * Returns what a command ended with, and gives the exit code for it. Never a stack trace, unless STACKYARD_TRACE asks for it:
 * it would hide the message, and may show values that a user does not expect to be shown.
 */
export function report(error: unknown, { colours, live }: Pick<Context, "colours" | "live">): number {
  // The interrupt reports its own story.
  if (error instanceof Interrupted) return EXIT.interrupted;
  const prefix = colours.bad("error:");
  live.end();
  live.line(`${prefix} ${isBug(error) ? bugText(error) : messageOf(error)}`);
  if (process.env["STACKYARD_TRACE"] && error instanceof Error) live.line(error.stack ?? "");
  return error instanceof UsageError ? EXIT.usage : EXIT.failure;
}

function bugText(error: unknown): string {
  const how = "Run the command again with STACKYARD_TRACE=1, and report its output to the project";
  return `stackyard failed with an unexpected error: ${messageOf(error).split("\n")[0]}. ${how}`;
}

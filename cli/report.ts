import type { Context } from "./context";
import { EXIT, messageOf, UsageError } from "../foundation/errors";
import { Interrupted } from "../engine/process/interrupt";

/** Errors that the JavaScript runtime throws, without a message for users. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

const isBug = (error: unknown): boolean => !(error instanceof Error) || BUGS.some((bug) => error instanceof bug);

/**
 * Prints the error of a command and returns the exit code. Prints a stack trace only if STACKYARD_TRACE is set: it
 * would hide the message, and may contain unexpected values.
 */
export function report(error: unknown, { colours, live }: Pick<Context, "colours" | "live">): number {
  // The interrupt handler has already reported it.
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

import { EXIT } from "../../../foundation/errors";
import type { Context } from "../../context";
import type { RunResult } from "../target/target";
import { failureText, headline, outputLines, remainingText } from "./result";

/** Prints the result of an operation on one runtime, and sets the exit code. */
export function report(
  context: Context,
  result: RunResult,
  done: string,
  verb: string,
  json: boolean | undefined,
): void {
  context.live.end();
  const remains = result.ok && result.remaining !== undefined;
  if (!result.ok || remains) process.exitCode = EXIT.failure;
  if (json) {
    context.print(JSON.stringify(result, null, 2));
  } else if (remains) {
    context.live.line(remainingText(result, context.colours));
  } else if (result.ok) {
    context.live.line(headline(result, done, context.colours));
    const lines = outputLines(result.outputs);
    if (lines.length > 0) context.print(lines.join("\n"));
  } else {
    context.live.line(failureText(result, verb, context.colours));
  }
}

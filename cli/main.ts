import * as path from "node:path";
import { CommanderError } from "commander";
import { program } from "./commands/program";
import { createContext } from "./context";
import { EXIT, Failure, messageOf, UsageError } from "./errors";

/**
 * Runs one command line on the project in `checkout`, or the one that STACKYARD_PROJECT names.
 * `name` is what people call the program. Sets the exit code instead of leaving, so that output still under way is written.
 */
export async function main(checkout: string, argv: readonly string[], name?: string): Promise<void> {
  const root = path.resolve(process.env.STACKYARD_PROJECT || checkout);
  if (argv[0] === "--worker") {
    const { work } = await import("./runtime/worker.js");
    return work(root);
  }
  const context = createContext(root);
  try {
    await program(context, name).parseAsync([...argv], { from: "user" });
  } catch (error) {
    context.live.end();
    process.exitCode = report(error, context.colours.bad("error:"));
  }
}

/** Tells what was thrown, and gives the exit code for it. */
function report(error: unknown, prefix: string): number {
  // Commander has told it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) {
    process.stderr.write(`${prefix} ${error.message}\n`);
    return EXIT.usage;
  }
  const expected = error instanceof Failure;
  const stack = error instanceof Error && !expected ? error.stack : undefined;
  process.stderr.write(`${prefix} ${stack ?? messageOf(error)}\n`);
  return EXIT.failure;
}

import "../foundation/schema/interpreted";
import * as path from "node:path";
import { CommanderError, type Command } from "commander";
import { pathOf, program } from "./program";
import { createContext, type Context } from "./context";
import { backendIn, workspacesIn } from "../foundation/pulumi/backend";
import { EXIT } from "../foundation/errors";
import { exitIfInterrupted, watchInterrupts } from "../engine/process/interrupt";
import { report } from "./report";

/**
 * Runs a command line on the project in `checkout`, or on the one in STACKYARD_PROJECT. `name`: the program's name.
 * Sets the exit code instead of exiting, so that pending output is written.
 */
export async function main(checkout: string, argv: readonly string[], name?: string): Promise<void> {
  const root = path.resolve(process.env.STACKYARD_PROJECT || checkout);
  const workspaces = workspacesIn(root, backendIn(process.env));
  if (argv[0] === "--worker") {
    return (await import("../engine/workers/worker.js")).serve(workspaces);
  }
  const context = createContext(workspaces);
  if (argv[0] === "--complete") {
    return (await import("./completion/answer.js")).answer(program(context), context, argv.slice(1));
  }
  watchInterrupts((text) => context.live.line(text));
  await runCommandLine(program(context, name), context, argv);
  exitIfInterrupted();
}

/** Runs a command line, reports errors, and sets the exit code. */
export async function runCommandLine(commands: Command, context: Context, argv: readonly string[]): Promise<void> {
  try {
    await commands
      // Shown immediately, because the command loads its code only afterwards.
      .hook("preAction", (_, command) => context.live.begin(`  ${context.colours.dim(`${pathOf(command)} …`)}`))
      .parseAsync([...argv], { from: "user" });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? commanderCode(error) : report(error, context);
  }
  context.live.end();
}

/** Commander has already reported the error. */
const commanderCode = ({ exitCode }: CommanderError): number => (exitCode === 0 ? EXIT.ok : EXIT.usage);

import { COMMANDS, isCommand } from "./commands/commands";
import { projectRoot } from "./root";

/** Runs one command of the Makefile. Results go to stdout, progress to stderr. */
export async function runTarget(args: readonly string[]): Promise<void> {
  const [name = ""] = args;
  if (!isCommand(name)) {
    throw new Error(`found the command ${JSON.stringify(name)}; expected one of ${Object.keys(COMMANDS).join(", ")}`);
  }
  process.exitCode = await COMMANDS[name](projectRoot());
}

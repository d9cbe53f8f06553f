import { Argument, type Command } from "commander";
import { completionScript, SHELLS, type Shell } from "./scripts";
import type { Context } from "../context";
import { group } from "../options/group";

/** `stackyard completion SHELL`. */
export function completionCommand(context: Context): Command {
  return group("completion", "print the completion script of a shell, to be loaded where the shell starts")
    .addArgument(new Argument("<shell>", "shell to complete in").choices(SHELLS))
    .action((shell: Shell) => context.print(completionScript(shell).trimEnd()));
}

import type { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { filled } from "../options/parse";
import { changeOptions, listOptions, readOptions, type ChangeOptions } from "./options";

/** `stackyard operations …`: the operations of a service. */
export function operationsCommand(context: Context): Command {
  const run = actions(context);
  const commands = group("operations", "operations of the provisioning service");
  const add = (name: string, description: string) => commands.command(name).description(description);
  listOptions(add("list", "list the tenant's operations, newest first"))
    .alias("ls")
    .option("--deployment <id>", "only those of this deployment", filled)
    .option("--state <state>", "only those that are pending, in_progress, succeeded, failed or canceled", filled)
    .option("--kind <kind>", "only those of this kind, such as provision", filled)
    .action(run(async () => (await import("./operations.js")).listOperations));
  readOptions(add("show", "show an operation with its stages"), "wait for its end; fails if it fails")
    .argument("<id>", "id of the operation")
    .action(run(async () => (await import("./operations.js")).showOne));
  for (const [verb, description] of [
    ["retry", "run a failed or canceled operation again"],
    ["cancel", "cancel an operation that is pending or in progress"],
  ] as const) {
    changeOptions(add(verb, description))
      .argument("<id>", "id of the operation")
      .action(async (id: string, options: ChangeOptions) => {
        await (await import("./operations.js")).changeOperation(context, verb, id, options);
      });
  }
  return commands;
}

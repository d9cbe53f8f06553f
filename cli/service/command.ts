import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "../program/group";
import { filled } from "../program/parse";
import { sizeOptions } from "../runtime/upOptions";
import type { AskedOptions } from "./asked";
import type { DeploymentFilter } from "./deployments";
import type { NoticeFilter } from "./notices";
import type { OperationFilter } from "./operations";
import {
  changeOptions,
  listOptions,
  readOptions,
  revisionOption,
  type ChangeOptions,
  type ReadOptions,
} from "./options";

const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

/** What a deployment is to be; where a runtime is moved to is asked for by `move`. */
const asked = (command: Command): Command =>
  changeOptions(sizeOptions(command))
    .option("--provisioner <name>", "provisioner instead of the environment's or the default one", filled)
    .option(
      "--clickhouse <name>",
      "provisioner of a ClickHouse database; default for the usual one, none to stop using it",
      filled,
    )
    .option(
      "-f, --file <file>",
      "a YAML or JSON file with its fields by id, as for runtime up; options win over it; - for standard input",
      filled,
    );

/** `stackyard deployments …` and `stackyard operations …`: talk to the service. */
export const serviceCommands = (context: Context): Command[] => [deployments(context), operations(context)];

function deployments(context: Context): Command {
  const commands = group("deployments", "deployments of the provisioning service");
  const add = (name: string, description: string) => commands.command(name).description(description);
  listOptions(add("list", "the tenant's deployments"))
    .alias("ls")
    .option("--id <text>", "those with this in their id", filled)
    .option("--state <state>", "those that are to be running, hibernated or absent", filled)
    .option("--provisioner <name>", "those on this provisioner", filled)
    .option("--environment <name>", "those of this environment", filled)
    .action(async (options: DeploymentFilter) => (await import("./deployments.js")).list(context, options));
  readOptions(add("show", "one deployment: what it is asked for and what it has"))
    .argument(...ID)
    .action(async (id: string, options: ReadOptions) =>
      (await import("./deployments.js")).showOne(context, id, options),
    );
  listOptions(
    add("notices", "what the service noticed: drift, health of runtimes, capacity of provisioners; newest first"),
  )
    .option("--kind <kind>", "those of this kind: capacity, drift or health", filled)
    .option("--level <level>", "those of this level: info or warning", filled)
    .option("--subject <name>", "those about this deployment, or this provisioner as platform/name", filled)
    .action(async (options: NoticeFilter) => (await import("./notices.js")).list(context, options));
  readOptions(add("plan", "what applying a deployment's request again would change"))
    .argument(...ID)
    .action(async (id: string, options: ReadOptions) => (await import("./deployments.js")).plan(context, id, options));
  asked(add("provision", "give a new deployment its runtime"))
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .argument(...ID)
    .action(async (id: string, options: AskedOptions & ChangeOptions) => {
      await (await import("./deployments.js")).provision(context, id, options, true);
    });
  revisionOption(asked(add("update", "change what a deployment is asked for; what is not given stays as it is")))
    .argument(...ID)
    .action(async (id: string, options: AskedOptions & ChangeOptions) => {
      await (await import("./deployments.js")).provision(context, id, options, false);
    });
  revisionOption(changeOptions(add("move", "move a runtime to another provisioner or host, without its data")))
    .argument(...ID)
    .option("--provisioner <name>", "where to; without it, to another place within its own", filled)
    .action(async (id: string, options: ChangeOptions & { provisioner?: string }) => {
      await (await import("./deployments.js")).move(context, id, options);
    });
  const verbs = {
    hibernate: "stop a runtime and keep its disk",
    wake: "start a hibernated runtime again, with its disk",
    deprovision: "remove a runtime and all that it has",
    protect: "protect a deployment against being deprovisioned",
    unprotect: "remove that protection",
  };
  for (const [verb, description] of Object.entries(verbs)) {
    revisionOption(changeOptions(add(verb, description)))
      .argument(...ID)
      .action(async (id: string, options: ChangeOptions) => {
        await (await import("./deployments.js")).simple(context, verb, id, options);
      });
  }
  return commands;
}

function operations(context: Context): Command {
  const commands = group("operations", "operations of the provisioning service");
  const add = (name: string, description: string) => commands.command(name).description(description);
  listOptions(add("list", "the tenant's operations, newest first"))
    .alias("ls")
    .option("--deployment <id>", "those of this deployment", filled)
    .option("--state <state>", "those that are pending, in_progress, succeeded, failed or canceled", filled)
    .option("--kind <kind>", "those of this kind, such as provision", filled)
    .action(async (options: OperationFilter) => (await import("./operations.js")).list(context, options));
  readOptions(add("show", "one operation with its stages"), "follow it to its end; fails when it fails")
    .argument("<id>", "id of the operation")
    .action(async (id: string, options: ReadOptions) =>
      (await import("./operations.js")).showOne(context, id, options),
    );
  for (const [verb, description] of [
    ["retry", "run a failed or canceled operation again"],
    ["cancel", "end an operation that waits or is in progress"],
  ] as const) {
    changeOptions(add(verb, description))
      .argument("<id>", "id of the operation")
      .action(async (id: string, options: ChangeOptions) => {
        await (await import("./operations.js")).simple(context, verb, id, options);
      });
  }
  return commands;
}

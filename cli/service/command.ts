import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "../options/group";
import { filled } from "../options/parse";
import { kubeconfigOptions } from "../runtime/kubeconfig/options";
import { sizeOptions } from "../runtime/upOptions";
import type { AskedOptions } from "./asked";
import type { DeploymentFilter } from "./deployments";
import type { NoticeFilter } from "./notices";
import type { OperationFilter } from "./operations";
import type { KubeconfigOptions } from "./kubeconfig";
import {
  accessOptions,
  changeOptions,
  limitOptions,
  listOptions,
  readOptions,
  revisionOption,
  type ChangeOptions,
  type LimitOptions,
  type ReadOptions,
} from "./options";

const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

/** Adds the options of a deployment's config; `move` replaces them by the target of a move. */
const asked = (command: Command): Command =>
  changeOptions(sizeOptions(command))
    .option("--provisioner <name>", "provisioner instead of the environment's or the default one", filled)
    .option(
      "--clickhouse <name>",
      "provisioner of a ClickHouse database; default for the default one, none to stop using it",
      filled,
    )
    .option(
      "-f, --file <file>",
      "a YAML or JSON file with its fields by id, as for runtime up; options override it; - for standard input",
      filled,
    );

/** `stackyard deployments …` and `stackyard operations …`: call the service. */
export const serviceCommands = (context: Context): Command[] => [deployments(context), operations(context)];

function deployments(context: Context): Command {
  const commands = group("deployments", "deployments of the provisioning service");
  const add = (name: string, description: string) => commands.command(name).description(description);
  listOptions(add("list", "list the tenant's deployments"))
    .alias("ls")
    .option("--id <text>", "only those whose id contains this text", filled)
    .option("--state <state>", "only those with this desired state: running, hibernated or absent", filled)
    .option("--provisioner <name>", "only those of this provisioner", filled)
    .option("--environment <name>", "only those of this environment", filled)
    .action(async (options: DeploymentFilter) => (await import("./deployments.js")).listDeployments(context, options));
  readOptions(add("show", "show a deployment: its desired config, runtime and last operation"))
    .argument(...ID)
    .action(async (id: string, options: ReadOptions) =>
      (await import("./deployments.js")).showOne(context, id, options),
    );
  listOptions(add("notices", "list notices of the service about drift, health, capacity and lifetimes, newest first"))
    .option("--kind <kind>", "only those of this kind: capacity, drift, health or lifetime", filled)
    .option("--level <level>", "only those of this level: info or warning", filled)
    .option("--subject <name>", "only those about this deployment, or this provisioner as platform/name", filled)
    .action(async (options: NoticeFilter) => (await import("./notices.js")).listNotices(context, options));
  readOptions(add("plan", "preview what applying a deployment's config again would change"))
    .argument(...ID)
    .action(async (id: string, options: ReadOptions) => (await import("./deployments.js")).plan(context, id, options));
  kubeconfigOptions(
    accessOptions(
      add("kubeconfig", "print a kubeconfig for the cluster of a deployment on Gardener, valid for a limited time"),
    ),
  )
    .argument(...ID)
    .action(async (id: string, options: KubeconfigOptions) =>
      (await import("./kubeconfig.js")).kubeconfig(context, id, options),
    );
  limitOptions(asked(add("provision", "create a deployment and its runtime")))
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .argument(...ID)
    .action(async (id: string, options: AskedOptions & ChangeOptions & LimitOptions) => {
      await (await import("./deployments.js")).provision(context, id, options, true);
    });
  revisionOption(
    asked(add("update", "change the config of a deployment; options that are not given keep their values")),
  )
    .argument(...ID)
    .action(async (id: string, options: AskedOptions & ChangeOptions) => {
      await (await import("./deployments.js")).provision(context, id, options, false);
    });
  revisionOption(changeOptions(add("move", "move a runtime to another provisioner or host, without its data")))
    .argument(...ID)
    .option("--provisioner <name>", "provisioner to move to; default: another host of its own provisioner", filled)
    .action(async (id: string, options: ChangeOptions & { provisioner?: string }) => {
      await (await import("./deployments.js")).move(context, id, options);
    });
  revisionOption(
    changeOptions(limitOptions(add("lifetime", "change when a deployment is hibernated and deprovisioned by itself"))),
  )
    .argument(...ID)
    .action(async (id: string, options: ChangeOptions & LimitOptions) => {
      await (await import("./deployments.js")).lifetime(context, id, options);
    });
  const verbs = {
    hibernate: "stop a runtime and keep its disk",
    wake: "start a hibernated runtime again, with its disk",
    deprovision: "delete a runtime and all of its resources",
    protect: "protect a deployment against deprovisioning",
    unprotect: "remove the protection of a deployment",
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
  listOptions(add("list", "list the tenant's operations, newest first"))
    .alias("ls")
    .option("--deployment <id>", "only those of this deployment", filled)
    .option("--state <state>", "only those that are pending, in_progress, succeeded, failed or canceled", filled)
    .option("--kind <kind>", "only those of this kind, such as provision", filled)
    .action(async (options: OperationFilter) => (await import("./operations.js")).listOperations(context, options));
  readOptions(add("show", "show an operation with its stages"), "wait for its end; fails if it fails")
    .argument("<id>", "id of the operation")
    .action(async (id: string, options: ReadOptions) =>
      (await import("./operations.js")).showOne(context, id, options),
    );
  for (const [verb, description] of [
    ["retry", "run a failed or canceled operation again"],
    ["cancel", "cancel an operation that is pending or in progress"],
  ] as const) {
    changeOptions(add(verb, description))
      .argument("<id>", "id of the operation")
      .action(async (id: string, options: ChangeOptions) => {
        await (await import("./operations.js")).simple(context, verb, id, options);
      });
  }
  return commands;
}

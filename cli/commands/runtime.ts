import type { Command } from "commander";
import type { Context } from "../context";
import { filled, positive } from "./parse";
import { group } from "./group";
import { deploymentOptions, type UpOptions } from "./runtimeOptions";

const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

export interface CommonOptions {
  readonly json?: boolean;
  readonly wait?: number;
  readonly refresh?: boolean;
}
export interface ManyOptions extends CommonOptions {
  readonly file?: string;
  readonly parallel?: number;
}
export interface DestroyOptions extends CommonOptions {
  readonly yes?: boolean;
}

function common(command: Command): Command {
  return command
    .option("--wait <seconds>", "wait for a runtime that somebody else works on (default: fail at once)", positive)
    .option("--json", "print the result as JSON");
}

/** `stackyard runtime …`. What a command does is loaded when it is called. */
export function runtimeCommand(context: Context): Command {
  const runtime = group("runtime", "runtimes of deployments, one Pulumi stack each");
  const add = (name: string, description: string) => runtime.command(name).description(description);

  common(deploymentOptions(add("up", "make a runtime, or change it; what is not given stays as it is")))
    .argument("[id]", ID[1])
    .option("-f, --file <file>", "many at once: a YAML or JSON map of id to fields; - for standard input", filled)
    .option("--parallel <n>", "with -f: how many at a time (default: 1)", positive)
    .action(async (id: string | undefined, options: UpOptions & ManyOptions) => {
      const { up } = await import("./runtimeUp.js");
      await up(context, id, options);
    });
  common(deploymentOptions(add("preview", "show what up would do, and change nothing")))
    .argument(...ID)
    .action(async (id: string, options: UpOptions & CommonOptions) => {
      const { preview } = await import("./runtimeUp.js");
      await preview(context, id, options);
    });
  common(add("hibernate", "stop a runtime and keep its disk"))
    .argument(...ID)
    .action(async (id: string, options: CommonOptions) => {
      const { setState } = await import("./runtimeUp.js");
      await setState(context, id, "hibernated", options);
    });
  common(add("wake", "start a hibernated runtime again, with its disk"))
    .argument(...ID)
    .action(async (id: string, options: CommonOptions) => {
      const { setState } = await import("./runtimeUp.js");
      await setState(context, id, "running", options);
    });
  common(add("destroy", "remove a runtime, its stack and its stack file; tells what is kept"))
    .argument(...ID)
    .option("-y, --yes", "do not ask")
    .action(async (id: string, options: DestroyOptions) => {
      const { destroy } = await import("./runtimeDestroy.js");
      await destroy(context, id, options);
    });
  add("list", "all runtimes")
    .alias("ls")
    .option("--json", "print as JSON")
    .action(async (options: CommonOptions) => {
      const { list } = await import("./runtimeList.js");
      await list(context, options);
    });
  add("status", "outputs of a runtime, and what it consists of")
    .argument(...ID)
    .option("--json", "print as JSON")
    .action(async (id: string, options: CommonOptions) => {
      const { status } = await import("./runtimeStatus.js");
      await status(context, id, options);
    });
  return runtime;
}

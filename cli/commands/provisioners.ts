import type { Command } from "commander";
import type { Context } from "../context";
import { filled, positive } from "./parse";
import { group } from "./group";

export interface ImportOptions {
  readonly stack: string;
  readonly default?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}
export interface ShowOptions {
  readonly stack: string;
  readonly json?: boolean;
}

export interface UndrainOptions {
  readonly stack: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}
export interface DrainOptions extends UndrainOptions {
  readonly move?: boolean;
  readonly parallel?: number;
  readonly wait?: number;
}

/** `stackyard provisioners …`. */
export function provisionersCommand(context: Context): Command {
  const provisioners = group("provisioners", "the provisioner set of a platform stack");
  provisioners
    .command("import")
    .description("take over a provisioner set of the original system (JSON, comments allowed) into a stack's config")
    .argument("<file>", "the set; - for standard input", filled)
    .option("--stack <name>", "platform stack whose config is changed", filled, "dev")
    .option("--default <name>", "the default provisioner; needed where the set has several and none is set", filled)
    .option("--dry-run", "show what would change, and change nothing")
    .option("-y, --yes", "do not ask")
    .action(async (file: string, options: ImportOptions) => {
      const { importSet } = await import("./provisionersImport.js");
      await importSet(context, file, options);
    });
  provisioners
    .command("show")
    .description("the set with its usage: slots of static hosts, runtimes of Kubernetes provisioners")
    .option("--stack <name>", "platform stack", filled, "dev")
    .option("--json", "print as JSON")
    .action(async (options: ShowOptions) => {
      const { show } = await import("./provisionersShow.js");
      await show(context, options);
    });
  const changing = (name: string, description: string): Command =>
    provisioners
      .command(name)
      .description(description)
      .argument("<host>", "URL of the host, as the stack file has it", filled)
      .option("--stack <name>", "platform stack whose config is changed", filled, "dev")
      .option("--dry-run", "show what would change, and change nothing")
      .option("-y, --yes", "neither preview nor ask");
  changing("drain", "give a static host nothing new, and move what it has with --move")
    .option("--move", "move its deployments to other hosts of their pools, which does not copy their data")
    .option("--parallel <n>", "how many are moved at once", positive)
    .option("--wait <seconds>", "how long to wait while somebody else works on a runtime", positive)
    .action(async (host: string, options: DrainOptions) => {
      const { drain } = await import("./provisionersDrain.js");
      await drain(context, host, options);
    });
  changing("undrain", "let a drained host take deployments again").action(
    async (host: string, options: UndrainOptions) => {
      const { undrain } = await import("./provisionersDrain.js");
      await undrain(context, host, options);
    },
  );
  return provisioners;
}

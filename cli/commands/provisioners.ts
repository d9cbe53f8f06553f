import type { Command } from "commander";
import type { Context } from "../context";
import { filled } from "./parse";
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
  return provisioners;
}

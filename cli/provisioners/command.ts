import type { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { filled, positive } from "../options/parse";
import { group } from "../options/group";

/** `stackyard provisioners …`. */
export function provisionersCommand(context: Context): Command {
  const run = actions(context);
  const provisioners = group("provisioners", "the provisioner set of a platform stack");
  provisioners
    .command("import")
    .description("import a provisioner set of the original system (JSON, comments allowed) into a stack's config")
    .argument("<file>", "the set; - for standard input", filled)
    .option("--stack <name>", "platform stack whose config is changed", filled, "dev")
    .option("--default <name>", "default provisioner; required if the set has several and none is set", filled)
    .option("--dry-run", "show what would change, and change nothing")
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await import("./import.js")).importSet));
  provisioners
    .command("show")
    .description("show the set with its usage: slots of static hosts, runtimes of Kubernetes provisioners")
    .option("--stack <name>", "platform stack", filled, "dev")
    .option("--json", "print as JSON")
    .action(run(async () => (await import("./showCommand.js")).showProvisioners));
  provisioners
    .command("adopt")
    .description("let a platform stack take over the pool of a static provisioner that another stack owns")
    .argument("<name>", "the static provisioner", filled)
    .option("--stack <name>", "platform stack that takes it over", filled, "dev")
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await import("./adopt.js")).adoptPool));
  const changing = (name: string, description: string): Command =>
    provisioners
      .command(name)
      .description(description)
      .argument("<host>", "URL of the host, as the stack file has it", filled)
      .option("--stack <name>", "platform stack whose config is changed", filled, "dev")
      .option("--dry-run", "show what would change, and change nothing")
      .option("-y, --yes", "skip preview and confirmation");
  changing("drain", "stop new deployments on a static host, and move existing ones with --move")
    .option("--move", "move its deployments to other hosts of their pools, which does not copy their data")
    .option("--parallel <n>", "number of parallel moves", positive)
    .option("--wait <seconds>", "seconds to wait while another process updates a runtime", positive)
    .action(run(async () => (await import("./drain.js")).drain));
  changing("undrain", "allow new deployments on a drained host again").action(
    run(async () => (await import("./drain.js")).undrain),
  );
  return provisioners;
}

import type { Command } from "commander";
import type { Context } from "../context";
import { outputOptions } from "../options/output";
import { filled, positive, repeated } from "../options/parse";
import type { DisksOptions } from "./disks";
import type { RuntimeImportOptions } from "./import";
import { targetOptions } from "./options";
import type { AdoptRuntimeOptions, RemoveOptions } from "./orphans";
import { sizeOptions } from "./upOptions";

/** Adds a verb. */
export type Add = (name: string, description: string) => Command;

export const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

export const waitOptions = (command: Command): Command =>
  targetOptions(command)
    .option("--wait <seconds>", "wait while another process updates the runtime (default: fail immediately)", positive)
    .option("--json", "print the result as JSON");

/** Adds the verbs that restore and remove what has no runtime. */
export function addRepairs(context: Context, add: Add): void {
  const adopt = add("adopt", "create a stack for a runtime that lost its stack, without changing the runtime");
  waitOptions(sizeOptions(adopt))
    .argument(...ID)
    .option("--provisioner <name>", "only resources of this provisioner", filled)
    .option("--dry-run", "only show what would be taken over, and what the next update would change")
    .option("-y, --yes", "skip the confirmation")
    .action(async (id: string, options: AdoptRuntimeOptions) => {
      const { adoptOrphan } = await import("./orphans.js");
      await adoptOrphan(context, id, options);
    });
  const importing = "create a stack for a Shoot that was created by other means, without changing the cluster";
  waitOptions(add("import", importing))
    .argument(...ID)
    .requiredOption("--shoot <name>", "name of the Shoot in the provisioner's Gardener project", filled)
    .option("--provisioner <name>", "provisioner of type gardener (default: the platform's only one)", filled)
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .option("--dry-run", "only show where the Shoot differs from what the provisioner would make")
    .action(async (id: string, options: RuntimeImportOptions) => {
      const { importRuntime } = await import("./import.js");
      await importRuntime(context, id, options);
    });
  waitOptions(add("remove-orphan", "delete the resources of a runtime that lost its stack"))
    .argument(...ID)
    .option("--provisioner <name>", "only resources of this provisioner", filled)
    .option(
      "--allow-data-loss <claim>",
      "a disk or database that may be deleted, as namespace/claim or provisioner/database; may be repeated",
      repeated,
    )
    .option("-y, --yes", "skip the confirmation")
    .action(async (id: string, options: RemoveOptions) => {
      const { removeOrphan } = await import("./orphans.js");
      await removeOrphan(context, id, options);
    });
  const disks = add("disks", "list disks that stayed when their runtime was destroyed, or remove some");
  outputOptions(targetOptions(disks), ["json", "yaml"])
    .option("--remove <namespace/claim>", "delete this disk with its data; may be repeated", repeated)
    .option("-y, --yes", "skip the confirmation")
    .action(async (options: DisksOptions) => {
      const { disks: run } = await import("./disks.js");
      await run(context, options);
    });
}

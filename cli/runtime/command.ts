import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "../options/group";
import { outputOptions, type OutputOptions } from "../options/output";
import { filled, positive, repeated } from "../options/parse";
import { fleet, placeFilters, stateFilters } from "./filter";
import type { CheckCommandOptions } from "./check";
import { kubeconfigOptions, type KubeconfigOptions } from "./kubeconfig/options";
import type { DisksOptions } from "./disks";
import type { RuntimeImportOptions } from "./import";
import type { RuntimeListOptions } from "./list";
import type { AdoptRuntimeOptions, RemoveOptions } from "./orphans";
import { deploymentOptions, sizeOptions, type UpOptions } from "./upOptions";
import type { CommonOptions, ManyOptions } from "./options";

const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

const LIST_FORMATS = ["json", "yaml", "wide", "id"] as const;

const IDS = ["[ids...]", ID[1]] as const;

const PROTECTION = [
  ["protect", true, "refuse whatever would delete the data of a runtime, such as a move and destroy"],
  ["unprotect", false, "remove the protection of a runtime"],
] as const;

function common(command: Command): Command {
  return command
    .option("--wait <seconds>", "wait while another process updates the runtime (default: fail immediately)", positive)
    .option("--json", "print the result as JSON");
}

/** `stackyard runtime …`. Commands load their code on demand. */
export function runtimeCommand(context: Context): Command {
  const runtime = group("runtime", "runtimes of deployments, one Pulumi stack each");
  const add = (name: string, description: string) => runtime.command(name).description(description);

  fleet(
    common(deploymentOptions(add("up", "create or change runtimes; options that are not given keep their values"))),
    "up",
  )
    .argument(...IDS)
    .action(async (ids: string[], options: UpOptions & ManyOptions) => {
      const { deployRuntimes } = await import("./up.js");
      await deployRuntimes(context, ids, options);
    });
  common(deploymentOptions(add("preview", "show what up would change")))
    .argument(...ID)
    .action(async (id: string, options: UpOptions & CommonOptions) => {
      const { preview } = await import("./up.js");
      await preview(context, id, options);
    });
  placeFilters(fleet(common(add("hibernate", "scale runtimes to zero and keep their disks")), "hibernate"))
    .argument(...IDS)
    .action(async (ids: string[], options: ManyOptions) => {
      const { setState } = await import("./up.js");
      await setState(context, ids, "hibernated", options);
    });
  placeFilters(fleet(common(add("wake", "start hibernated runtimes again, with their disks")), "wake"))
    .argument(...IDS)
    .action(async (ids: string[], options: ManyOptions) => {
      const { setState } = await import("./up.js");
      await setState(context, ids, "running", options);
    });
  for (const [verb, isProtected, does] of PROTECTION) {
    common(add(verb, does))
      .argument(...ID)
      .action(async (id: string, options: CommonOptions) => {
        const { protect } = await import("./up.js");
        await protect(context, id, isProtected, options);
      });
  }
  placeFilters(fleet(common(add("destroy", "delete runtimes, their stacks and their stack files")), "destroy"))
    .argument(...IDS)
    .action(async (ids: string[], options: ManyOptions) => {
      const { destroyRuntimes } = await import("./destroy.js");
      await destroyRuntimes(context, ids, options);
    });
  placeFilters(
    stateFilters(outputOptions(add("list", "list all runtimes, or those that match a filter"), LIST_FORMATS)),
  )
    .alias("ls")
    .option("--orphans", "instead: list resources of runtimes without a stack")
    .action(async (options: RuntimeListOptions) => {
      if (options.orphans === true) return (await import("./orphans.js")).listOrphans(context, options);
      const { listRuntimes } = await import("./list.js");
      await listRuntimes(context, options);
    });
  common(sizeOptions(add("adopt", "create a stack for a runtime that lost its stack, without changing the runtime")))
    .argument(...ID)
    .option("--provisioner <name>", "only resources of this provisioner", filled)
    .option("--dry-run", "only show what would be taken over, and what the next update would change")
    .option("-y, --yes", "skip the confirmation")
    .action(async (id: string, options: AdoptRuntimeOptions) => {
      const { adoptOrphan } = await import("./orphans.js");
      await adoptOrphan(context, id, options);
    });
  common(add("import", "create a stack for a Shoot that was created by other means, without changing the cluster"))
    .argument(...ID)
    .requiredOption("--shoot <name>", "name of the Shoot in the provisioner's Gardener project", filled)
    .option("--provisioner <name>", "provisioner of type gardener (default: the platform's only one)", filled)
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .option("--dry-run", "only show where the Shoot differs from what the provisioner would make")
    .action(async (id: string, options: RuntimeImportOptions) => {
      const { importRuntime } = await import("./import.js");
      await importRuntime(context, id, options);
    });
  common(add("remove-orphan", "delete the resources of a runtime that lost its stack"))
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
  outputOptions(add("disks", "list disks that stayed when their runtime was destroyed, or remove some"), [
    "json",
    "yaml",
  ])
    .option("--remove <namespace/claim>", "delete this disk with its data; may be repeated", repeated)
    .option("-y, --yes", "skip the confirmation")
    .action(async (options: DisksOptions) => {
      const { disks } = await import("./disks.js");
      await disks(context, options);
    });
  outputOptions(add("status", "show the request, outputs and object status of a runtime"), ["json", "yaml"])
    .argument(...ID)
    .action(async (id: string, options: OutputOptions) => {
      const { status } = await import("./status.js");
      await status(context, id, options);
    });
  kubeconfigOptions(
    add("kubeconfig", "print a kubeconfig for the cluster of a runtime on Gardener, valid for a limited time"),
  )
    .argument(...ID)
    .action(async (id: string, options: KubeconfigOptions) => {
      const { kubeconfig } = await import("./kubeconfig/print.js");
      await kubeconfig(context, id, options);
    });
  placeFilters(
    stateFilters(
      outputOptions(add("check", "check that state, cluster and ledger agree, for cron and CI"), ["json", "yaml"]),
    ),
  )
    .argument(...IDS)
    .option("--all", "check every runtime, and report slots without a runtime")
    .option("--timeout <seconds>", "how long to wait for clusters and ledgers (default: 30)", positive)
    .addHelpText("after", "\nExit code: 0 without problems, 1 with problems.")
    .action(async (ids: string[], options: CheckCommandOptions) => {
      const { check } = await import("./check.js");
      await check(context, ids, options);
    });
  return runtime;
}

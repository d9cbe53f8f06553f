import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "../options/group";
import { outputOptions, type OutputOptions } from "../options/output";
import { filled, positive, repeated } from "../options/parse";
import type { NoticeFilter } from "../service/notices";
import { keyOption, listOptions, readOptions } from "../service/options";
import type { CheckCommandOptions } from "./check";
import type { DisksOptions } from "./disks";
import type { RuntimeImportOptions } from "./import";
import type { LifetimeOptions } from "./lifetime";
import type { RuntimeListOptions } from "./list";
import type { AdoptRuntimeOptions, RemoveOptions } from "./orphans";
import { deploymentOptions, type UpOptions, sizeOptions } from "./upOptions";
import {
  type CommonOptions,
  fleet,
  type KubeconfigOptions,
  kubeconfigOptions,
  limitOptions,
  type LimitOptions,
  type ManyOptions,
  placeFilters,
  requestOptions,
  revisionOption,
  stateFilters,
  targetOptions,
  type TargetOptions,
} from "./options";

/** Adds a verb. */
type Add = (name: string, description: string) => Command;

const ID = ["<id>", "deployment id: 1 to 100 of A-Z a-z 0-9 . _ -"] as const;

const waitOptions = (command: Command): Command =>
  targetOptions(command)
    .option("--wait <seconds>", "wait while another process updates the runtime (default: fail immediately)", positive)
    .option("--json", "print the result as JSON");

/** Adds the verbs that restore and remove what has no runtime. */
function addRepairs(context: Context, add: Add): void {
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

const LIST_FORMATS = ["json", "yaml", "wide", "id"] as const;

const IDS = ["[ids...]", ID[1]] as const;

const PROTECTION = [
  ["protect", true, "refuse whatever would delete the data of a runtime, such as a move and destroy"],
  ["unprotect", false, "remove the protection of a runtime"],
] as const;

const STATES = [
  ["hibernate", "hibernated", "scale runtimes to zero and keep their disks"],
  ["wake", "running", "start hibernated runtimes again, with their disks"],
] as const;

const changing = (command: Command): Command => requestOptions(waitOptions(command));

/** `stackyard runtime …`. Commands load their code on demand. */
export function runtimeCommand(context: Context): Command {
  const runtime = group("runtime", "runtimes of deployments, by itself or through a service");
  const add: Add = (name, description) => runtime.command(name).description(description);
  addChanges(context, add);
  addRepairs(context, add);
  addReads(context, add);
  return runtime;
}

function addChanges(context: Context, add: Add): void {
  const up = add("up", "create or change runtimes; options that are not given keep their values");
  fleet(limitOptions(changing(deploymentOptions(up))), "up")
    .argument(...IDS)
    .action(async (ids: string[], options: UpOptions & ManyOptions & LimitOptions) => {
      const { deployRuntimes } = await import("./up.js");
      await deployRuntimes(context, ids, options);
    });
  limitOptions(revisionOption(waitOptions(deploymentOptions(add("preview", "show what up would change")))))
    .argument(...ID)
    .action(async (id: string, options: UpOptions & CommonOptions & LimitOptions) => {
      const { preview } = await import("./up.js");
      await preview(context, id, options);
    });
  for (const [verb, state, does] of STATES) {
    placeFilters(fleet(changing(add(verb, does)), verb))
      .argument(...IDS)
      .action(async (ids: string[], options: ManyOptions) => {
        const { setState } = await import("./up.js");
        await setState(context, ids, state, options);
      });
  }
  for (const [verb, isProtected, does] of PROTECTION) {
    changing(add(verb, does))
      .argument(...ID)
      .action(async (id: string, options: CommonOptions) => {
        const { protect } = await import("./up.js");
        await protect(context, id, isProtected, options);
      });
  }
  placeFilters(fleet(changing(add("destroy", "delete runtimes, their stacks and their stack files")), "destroy"))
    .argument(...IDS)
    .action(async (ids: string[], options: ManyOptions) => {
      const { destroyRuntimes } = await import("./destroy.js");
      await destroyRuntimes(context, ids, options);
    });
  const lifetime = add("lifetime", "change when a service hibernates and destroys a runtime by itself");
  revisionOption(keyOption(limitOptions(readOptions(lifetime))))
    .argument(...ID)
    .option("--dry-run", "show what would follow, and change nothing")
    .action(async (id: string, options: LifetimeOptions) => {
      const { lifetime: change } = await import("./lifetime.js");
      await change(context, id, options);
    });
}

function addReads(context: Context, add: Add): void {
  const list = add("list", "list all runtimes, or those that match a filter");
  placeFilters(stateFilters(outputOptions(targetOptions(list), LIST_FORMATS)))
    .alias("ls")
    .option("--orphans", "instead: list resources of runtimes without a stack")
    .option("-w, --watch", "show the list again whenever it changes")
    .action(async (options: RuntimeListOptions) => {
      if (options.orphans === true) return (await import("./orphans.js")).listOrphans(context, options);
      const { listRuntimes } = await import("./list.js");
      await listRuntimes(context, options);
    });
  outputOptions(targetOptions(add("status", "show the request, outputs and object status of a runtime")), [
    "json",
    "yaml",
  ])
    .argument(...ID)
    .action(async (id: string, options: OutputOptions & TargetOptions) => {
      const { status } = await import("./status.js");
      await status(context, id, options);
    });
  const kubeconfig = add(
    "kubeconfig",
    "print a kubeconfig for the cluster of a runtime on Gardener, valid for a limited time",
  );
  kubeconfigOptions(targetOptions(kubeconfig))
    .argument(...ID)
    .action(async (id: string, options: KubeconfigOptions & TargetOptions) => {
      const { kubeconfig: print } = await import("./kubeconfig.js");
      await print(context, id, options);
    });
  const check = add("check", "check that state, cluster and ledger agree, for cron and CI");
  placeFilters(stateFilters(outputOptions(targetOptions(check), ["json", "yaml"])))
    .argument(...IDS)
    .option("--all", "check every runtime, and report slots without a runtime")
    .option("--timeout <seconds>", "how long to wait for clusters and ledgers (default: 30)", positive)
    .addHelpText("after", "\nExit code: 0 without problems, 1 with problems.")
    .action(async (ids: string[], options: CheckCommandOptions) => {
      const { check: run } = await import("./check.js");
      await run(context, ids, options);
    });
  listOptions(add("notices", "list notices of a service about drift, health, capacity and lifetimes, newest first"))
    .option("--kind <kind>", "only those of this kind: capacity, drift, health or lifetime", filled)
    .option("--level <level>", "only those of this level: info or warning", filled)
    .option("--subject <name>", "only those about this runtime, or this provisioner as platform/name", filled)
    .action(async (options: NoticeFilter) => {
      const { listNotices } = await import("../service/notices.js");
      await listNotices(context, options);
    });
}

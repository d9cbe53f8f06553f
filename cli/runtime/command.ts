import type { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { outputOptions } from "../options/output";
import { filled, positive, repeated } from "../options/parse";
import { keyOption, listOptions, readOptions } from "../service/options";
import type { RuntimeListOptions } from "./list";
import { deploymentOptions, sizeOptions } from "./upOptions";
import {
  type CommonOptions,
  fleet,
  kubeconfigOptions,
  limitOptions,
  type ManyOptions,
  placeFilters,
  requestOptions,
  revisionOption,
  stateFilters,
  targetOptions,
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
  const run = actions(context);
  const adopt = add("adopt", "create a stack for a runtime that lost its stack, without changing the runtime");
  waitOptions(sizeOptions(adopt))
    .argument(...ID)
    .option("--provisioner <name>", "only resources of this provisioner", filled)
    .option("--platform <stack>", "platform stack that gets it, if several have its cluster", filled)
    .option("--dry-run", "only show what would be taken over, and what the next update would change")
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await import("./orphans.js")).adoptOrphan));
  const importing = "create stacks for Shoots that were created by other means, without changing the clusters";
  waitOptions(add("import", importing))
    .argument("[id]", "deployment id; with --from-provisioner, only this runtime")
    .option("--shoot <name>", "name of the Shoot in the provisioner's Gardener project", filled)
    .option("--from-provisioner <url>", "all runtimes in this database of the original Runtime Provisioner", filled)
    .option("--provisioner <name>", "provisioner of type gardener (default: the platform's only one)", filled)
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .option("--dry-run", "only show what would be imported, and where it differs from what the provisioner would make")
    .option("-y, --yes", "skip the confirmation of --from-provisioner")
    .action(run(async () => (await import("./import/shoot.js")).importRuntimes));
  waitOptions(add("remove-orphan", "delete the resources of a runtime that lost its stack"))
    .argument(...ID)
    .option("--provisioner <name>", "only resources of this provisioner", filled)
    .option(
      "--allow-data-loss <claim>",
      "a disk or database that may be deleted, as namespace/claim or provisioner/database; may be repeated",
      repeated,
    )
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await import("./orphans.js")).removeOrphan));
  const disks = add("disks", "list disks that stayed when their runtime was destroyed, or remove some");
  outputOptions(targetOptions(disks), ["json", "yaml"])
    .option("--remove <namespace/claim>", "delete this disk with its data; may be repeated", repeated)
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await import("./disks.js")).disks));
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
  const run = actions(context);
  const up = add("up", "create or change runtimes; options that are not given keep their values");
  fleet(limitOptions(changing(deploymentOptions(up))), "up")
    .argument(...IDS)
    .action(run(async () => (await import("./up.js")).deployRuntimes));
  limitOptions(revisionOption(waitOptions(deploymentOptions(add("preview", "show what up would change")))))
    .argument(...ID)
    .action(run(async () => (await import("./up.js")).preview));
  for (const [verb, state, does] of STATES) {
    placeFilters(fleet(changing(add(verb, does)), verb))
      .argument(...IDS)
      .action(async (ids: string[], options: ManyOptions) => {
        await (await import("./up.js")).setState(context, ids, state, options);
      });
  }
  for (const [verb, isProtected, does] of PROTECTION) {
    const command = changing(add(verb, does)).argument(...ID);
    if (!isProtected) command.option("-y, --yes", "skip the confirmation if a service protected it");
    command.action(async (id: string, options: CommonOptions & { readonly yes?: boolean }) => {
      await (await import("./up.js")).protect(context, id, isProtected, options);
    });
  }
  placeFilters(fleet(changing(add("destroy", "delete runtimes, their stacks and their stack files")), "destroy"))
    .argument(...IDS)
    .action(run(async () => (await import("./destroy.js")).destroyRuntimes));
  const lifetime = add("lifetime", "change when a service hibernates and destroys a runtime by itself");
  revisionOption(keyOption(limitOptions(readOptions(lifetime))))
    .argument(...ID)
    .option("--dry-run", "show what would follow, and change nothing")
    .action(run(async () => (await import("./lifetime.js")).lifetime));
}

function addReads(context: Context, add: Add): void {
  const run = actions(context);
  const list = add("list", "list all runtimes, or those that match a filter");
  placeFilters(stateFilters(outputOptions(targetOptions(list), LIST_FORMATS)))
    .alias("ls")
    .option("--orphans", "instead: list resources of runtimes without a stack")
    .option("-w, --watch", "show the list again whenever it changes")
    .action(async (options: RuntimeListOptions) => {
      if (options.orphans === true) return (await import("./orphans.js")).listOrphans(context, options);
      await (await import("./list.js")).listRuntimes(context, options);
    });
  outputOptions(targetOptions(add("status", "show the request, outputs and object status of a runtime")), [
    "json",
    "yaml",
  ])
    .argument(...ID)
    .action(run(async () => (await import("./status.js")).status));
  const kubeconfig = add(
    "kubeconfig",
    "print a kubeconfig for the cluster of a runtime on Gardener, valid for a limited time",
  );
  kubeconfigOptions(targetOptions(kubeconfig))
    .argument(...ID)
    .action(run(async () => (await import("./kubeconfig.js")).kubeconfig));
  const check = add("check", "check that state, cluster and ledger agree, for cron and CI");
  placeFilters(stateFilters(outputOptions(targetOptions(check), ["json", "yaml"])))
    .argument(...IDS)
    .option("--all", "check every runtime, and report slots without a runtime")
    .option("--timeout <seconds>", "how long to wait for clusters and ledgers (default: 30)", positive)
    .addHelpText("after", "\nExit code: 0 without problems, 1 with problems.")
    .action(run(async () => (await import("./check.js")).check));
  listOptions(add("notices", "list notices of a service about drift, health, capacity and lifetimes, newest first"))
    .option("--kind <kind>", "only those of this kind: capacity, drift, health or lifetime", filled)
    .option("--level <level>", "only those of this level: info or warning", filled)
    .option("--subject <name>", "only those about this runtime, or this provisioner as platform/name", filled)
    .action(run(async () => (await import("../service/notices.js")).listNotices));
}

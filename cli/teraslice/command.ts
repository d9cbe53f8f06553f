import { Argument, type Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { filled, keyValue, positive, repeated, wholeNumber } from "../options/parse";

/** An id that no job has. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

const placed = (command: Command): Command =>
  command
    .option("--stack <name>", "the platform's stack", filled, "dev")
    .option("--cluster <name>", "Teraslice cluster; default: the one at stackyard:teraslice, or the only one", filled);

/** `stackyard teraslice …`. */
export function terasliceCommand(context: Context): Command {
  const run = actions(context);
  const teraslice = group("teraslice", "Teraslice of a platform and its jobs");
  const command = (name: string, description: string): Command =>
    placed(teraslice.command(name).description(description));
  command("render", "print the objects that the master creates for a job, and its faults; needs no cluster")
    .argument("<job>", "name of a job of the stack, or a job file, JSON or YAML", filled)
    .option("--job-id <id>", "id of the job, the suffix of object names", filled, NO_ID)
    .option("--ex-id <id>", "id of the execution", filled, NO_ID)
    .action(run(async () => (await import("./render.js")).render));
  const change = () => import("./change.js");
  const changing = (name: string, description: string): Command =>
    command(name, description)
      .option("--preview", "only show what would change")
      .option("-y, --yes", "skip preview and confirmation");
  const changingJob = (name: string, description: string): Command =>
    changing(name, description).argument("<job>", "name of the job in the stack file", filled);
  changing("up", "enable Teraslice in the stack file, deploy it, and print its master's address").action(
    run(async () => (await change()).deployTeraslice),
  );
  changing("register", "register a job and leave it stopped")
    .argument("<job>", "a job file to add to the stack file, or the name of an existing job", filled)
    .option("--name <name>", "name of a new job; default: the file's", filled)
    .option("--asset <zip>", "zip file of an asset to upload first; may be repeated", repeated)
    .action(run(async () => (await change()).register));
  changingJob("start", "start a job and keep it running").action(run(async () => (await change()).start));
  changingJob("stop", "stop a job; it stays registered").action(run(async () => (await change()).stopTerasliceJob));
  changing("upgrade", "replace the master with another version: stop all jobs, and restore them afterwards")
    .argument("<image>", "image of the master, and of jobs", filled)
    .option("--jobs-image <image>", "image of jobs, if different", filled)
    .option("--timeout <seconds>", "seconds for each job to stop and to start again", positive, 600)
    .action(run(async () => (await import("./upgrade/upgrade.js")).upgrade));
  changing("destroy", "disable Teraslice with its jobs; its settings stay in the stack file").action(
    run(async () => (await change()).destroyTeraslice),
  );
  teraslice
    .command("build")
    .description("build an image of Teraslice from a folder with a Containerfile or Dockerfile; needs no cluster")
    .argument("<folder>", "folder of the image", filled)
    .requiredOption("--tag <image>", "name of the image with a fixed tag", filled)
    .option("--file <file>", "the Containerfile; default: the folder's", filled)
    .option("--builder <program>", "podman, buildah, docker or nerdctl; default: the first that works", filled)
    .option("--platform <platform>", "such as linux/amd64; default: this machine's", filled)
    .option("--build-arg <key=value>", "argument of the file; may be repeated", keyValue)
    .option("--push", "push it to its registry, and print its digest there")
    .action(run(async () => (await import("./build/build.js")).buildImage));
  jobCommands(context, command, changing);
  teraslice.addCommand(assetCommands(context));
  command("show", "show the master and its jobs as they were deployed")
    .option("--json", "as JSON")
    .action(run(async () => (await import("./show.js")).showTeraslice));
  command("state", "state of jobs as the master reports it")
    .argument("[job]", "name of a job; default: all", filled)
    .option("--json", "as JSON")
    .action(run(async () => (await import("./show.js")).state));
  return teraslice;
}

type Named = (name: string, description: string) => Command;

/** Commands for running jobs. */
function jobCommands(context: Context, command: Named, changing: Named): void {
  const run = actions(context);
  const work = () => import("./job.js");
  const ofJob = (name: string, description: string): Command =>
    command(name, description).argument("<job>", "name of the job in the stack file", filled);
  ofJob("pause", "pause a job until it is resumed").action(run(async () => (await work()).pause));
  ofJob("resume", "resume a paused job").action(run(async () => (await work()).resume));
  ofJob("restart", "stop a job and start it again").action(run(async () => (await work()).restart));
  ofJob("recover", "start a job where its last execution ended")
    .option(
      "--cleanup <slices>",
      "slices to process again: all, errors, pending; default: the job's own setting",
      filled,
    )
    .action(run(async () => (await work()).recoverTerasliceJob));
  ofJob("await", "wait until a job has a status")
    .option("--status <status>", "status to wait for, may be repeated; default: completed, stopped", repeated)
    .option("--timeout <seconds>", "seconds to wait", positive, 3_600)
    .action(run(async () => (await work()).awaiting));
  ofJob("errors", "list failed slices of a job, with their errors")
    .option("--json", "as JSON")
    .action(run(async () => (await work()).errors));
  ofJob("logs", "print the logs of a job's execution controller")
    .option("--workers", "print the logs of its workers instead")
    .option("--lines <number>", "last lines of each pod", positive, 100)
    .action(run(async () => (await work()).logs));
  command("controllers", "show statistics of the execution controllers")
    .argument("[job]", "name of a job; default: all running jobs", filled)
    .option("--json", "as JSON")
    .action(run(async () => (await work()).controllers));
  ofJob("export", "print a job as the master has it, as a job file").action(run(async () => (await work()).exportJob));
  changing("workers", "add or remove workers of a job, or set their number, without a restart")
    .argument("<job>", "name of the job in the stack file", filled)
    .addArgument(
      new Argument("<how>", "whether to add or remove workers, or to set their total").choices([
        "add",
        "remove",
        "total",
      ]),
    )
    .argument("<number>", "number of workers", positive)
    .action(run(async () => (await work()).workers));
}

/** `stackyard teraslice assets …`. */
function assetCommands(context: Context): Command {
  const run = actions(context);
  const assets = group("assets", "manage the assets of a master");
  const work = () => import("./assets.js");
  const command: Named = (name, description) => placed(assets.command(name).description(description));
  assets
    .command("build")
    .description("pack an asset from a folder with asset.json or asset/asset.json; needs no cluster")
    .argument("<folder>", "folder of the asset", filled)
    .option("--out <folder>", "folder of the zip file; default: the current one", filled)
    .option("--node <version>", "major version of Node.js to build for", positive, 24)
    .action(run(async () => (await work()).writeAsset));
  command("deploy", "upload assets to the master; existing ones are not uploaded again")
    .argument("<asset...>", "zip files, folders to build, https addresses, or github:OWNER/REPOSITORY[@TAG]")
    .action(run(async () => (await work()).deploy));
  command("list", "list the assets of the master")
    .argument("[name]", "name of an asset; default: all", filled)
    .option("--json", "as JSON")
    .action(run(async () => (await work()).listAssets));
  command("remove", "remove assets from the master; assets in use stay")
    .argument("<asset>", "its name, name:version or id", filled)
    .option("--keep <number>", "number of newest versions to keep", wholeNumber, 0)
    .option("-y, --yes", "skip the confirmation")
    .action(run(async () => (await work()).remove));
  return assets;
}

import { Option, type Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { RAY_MODES } from "../../components/ray/clusters";
import { group } from "../options/group";
import { filled, keyValue } from "../options/parse";

/** `stackyard ray …`. */
export function rayCommand(context: Context): Command {
  const run = actions(context);
  const ray = group("ray", "Ray clusters of a platform");
  const command = (name: string, description: string): Command =>
    ray.command(name).description(description).option("--stack <name>", "the platform's stack", filled, "dev");
  const changing = (name: string, description: string): Command =>
    command(name, description)
      .argument("<name>", "name of the Ray cluster")
      .option("--preview", "only show what would change")
      .option("-y, --yes", "skip preview and confirmation");

  changing("up", "enable a cluster in the stack file, deploy it, and print its address")
    .addOption(
      new Option("--mode <mode>", "mode of the cluster; default: as configured, else static").choices([...RAY_MODES]),
    )
    .option("--like <name>", "copy the settings of this cluster for a new one", filled)
    .action(run(async () => (await import("./change.js")).deployRay));
  changing("down", "disable a cluster; its settings stay in the stack file").action(
    run(async () => (await import("./change.js")).down),
  );
  command("list", "list the clusters, their modes and addresses")
    .option("--json", "as JSON")
    .action(run(async () => (await import("./list.js")).listRayClusters));
  command("submit", "run a command as a job on a cluster, and print its output")
    .argument("<name>", "name of the Ray cluster")
    .argument("<command...>", "after --: the command and its arguments")
    .option("--working-dir <folder|uri>", "the job runs in a copy of this folder", filled)
    .option("--env <key=value>", "variable of the job; may be repeated", keyValue)
    .option("--pip <package...>", "additional Python packages of the job")
    .option("--no-wait", "print the job's id and don't wait for its end")
    .action(run(async () => (await import("./submit.js")).submit));
  const jobCommand = (name: string, description: string): Command =>
    command(name, description).argument("<name>", "name of the Ray cluster").argument("<job>", "id of the job");
  jobCommand("logs", "print the output of a job until it ends").action(
    run(async () => (await import("./job.js")).logs),
  );
  jobCommand("stop", "stop a job").action(run(async () => (await import("./job.js")).stopRayJob));
  return ray;
}

import { Option, type Command } from "commander";
import type { Context } from "../context";
import { MODES } from "./clusters";
import { group } from "../program/group";
import { filled, keyValue } from "../program/parse";
import type { ListOptions, RayOptions, SubmitFlags, UpOptions } from "./options";

/** `stackyard ray …`. */
export function rayCommand(context: Context): Command {
  const ray = group("ray", "Ray clusters of a platform");
  const command = (name: string, description: string): Command =>
    ray.command(name).description(description).option("--stack <name>", "the platform's stack", filled, "dev");
  const changing = (name: string, description: string): Command =>
    command(name, description)
      .argument("<name>", "name of the Ray cluster")
      .option("--preview", "only show what would change")
      .option("-y, --yes", "neither preview nor ask");

  changing("up", "turn a cluster on in the stack file, deploy it, and tell how it is reached")
    .addOption(new Option("--mode <mode>", "how it runs; default: as described, else static").choices([...MODES]))
    .option("--like <name>", "a cluster that is not there yet is described like this one", filled)
    .action(async (name: string, options: UpOptions) => (await import("./change.js")).up(context, name, options));
  changing("down", "turn a cluster off; its description stays in the stack file").action(
    async (name: string, options: UpOptions) => (await import("./change.js")).down(context, name, options),
  );
  command("list", "the clusters, how they run and where they are reached")
    .option("--json", "as JSON")
    .action(async (options: ListOptions) => (await import("./list.js")).list(context, options));
  command("submit", "run a command as a job on a cluster, and print what it prints")
    .argument("<name>", "name of the Ray cluster")
    .argument("<command...>", "after --: the command and its arguments")
    .option("--working-dir <folder|uri>", "the job runs in a copy of this folder", filled)
    .option("--env <key=value>", "variable of the job; may be repeated", keyValue)
    .option("--pip <package...>", "packages that the job needs besides those of the image")
    .option("--no-wait", "print the job's id and don't wait for its end")
    .action(async (name: string, words: string[], options: SubmitFlags) => {
      const { submit } = await import("./submit.js");
      await submit(context, name, words, options);
    });
  const jobCommand = (name: string, description: string): Command =>
    command(name, description).argument("<name>", "name of the Ray cluster").argument("<job>", "id of the job");
  jobCommand("logs", "print what a job prints until it ends").action(
    async (name: string, id: string, options: RayOptions) =>
      (await import("./job.js")).logs(context, name, id, options),
  );
  jobCommand("stop", "stop a job").action(async (name: string, id: string, options: RayOptions) =>
    (await import("./job.js")).stop(context, name, id, options),
  );
  return ray;
}

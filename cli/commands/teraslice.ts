import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "./group";
import type { TryOptions } from "../stack/tryOut";
import { filled, positive } from "./parse";

export interface TerasliceOptions {
  readonly stack: string;
}
export type RenderOptions = TerasliceOptions & { readonly jobId: string; readonly exId: string };
export type ChangeOptions = TerasliceOptions & TryOptions;
export type RegisterOptions = ChangeOptions & { readonly name?: string; readonly asset?: readonly string[] };
export type ShowOptions = TerasliceOptions & { readonly json?: boolean };

const several = (value: string, before: readonly string[] = []): string[] => [...before, filled(value)];

/** Stands for an id that no master has given out yet. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** `stackyard teraslice …`. */
export function terasliceCommand(context: Context): Command {
  const teraslice = group("teraslice", "Teraslice of a platform and its jobs");
  const command = (name: string, description: string): Command =>
    teraslice.command(name).description(description).option("--stack <name>", "the platform's stack", filled, "dev");
  command("render", "print the objects that the master makes of a job, and what is wrong with it; needs no cluster")
    .argument("<job>", "name of a job of the stack, or a job file, JSON or YAML", filled)
    .option("--job-id <id>", "id of the job, which names of objects end with", filled, NO_ID)
    .option("--ex-id <id>", "id of the execution", filled, NO_ID)
    .action(async (job: string, options: RenderOptions) => {
      const { render } = await import("../teraslice/render.js");
      await render(context, job, options);
    });
  const change = () => import("./terasliceChange.js");
  const changing = (name: string, description: string): Command =>
    command(name, description)
      .option("--preview", "only show what would change")
      .option("-y, --yes", "neither preview nor ask");
  const changingJob = (name: string, description: string): Command =>
    changing(name, description).argument("<job>", "name of the job in the stack file", filled);
  changing("up", "turn Teraslice on in the stack file, deploy it, and tell how its master is reached").action(
    async (options: ChangeOptions) => (await change()).up(context, options),
  );
  changing("register", "register a job and leave it stopped")
    .argument("<job>", "a job file, which is added to the stack file, or the name of a job that is there", filled)
    .option("--name <name>", "name of a job that is added; default: the file's", filled)
    .option("--asset <zip>", "zip file of an asset that the master gets before; may be given several times", several)
    .action(async (job: string, options: RegisterOptions) => (await change()).register(context, job, options));
  changingJob("start", "start a job and keep it running").action(async (job: string, options: ChangeOptions) =>
    (await change()).start(context, job, options),
  );
  changingJob("stop", "stop a job; it stays registered").action(async (job: string, options: ChangeOptions) =>
    (await change()).stop(context, job, options),
  );
  changingJob("scale", "set the number of a job's workers, without a restart")
    .argument("<workers>", "number of workers", positive)
    .action(async (job: string, workers: number, options: ChangeOptions) =>
      (await change()).scale(context, job, workers, options),
    );
  changing("destroy", "turn Teraslice off; its jobs go with it, its description stays in the stack file").action(
    async (options: ChangeOptions) => (await change()).destroy(context, options),
  );
  command("show", "the master and its jobs as they were deployed")
    .option("--json", "as JSON")
    .action(async (options: ShowOptions) => (await import("./terasliceShow.js")).show(context, options));
  command("state", "how jobs go now, by the master's own word")
    .argument("[job]", "name of a job; default: all", filled)
    .option("--json", "as JSON")
    .action(async (job: string | undefined, options: ShowOptions) =>
      (await import("./terasliceShow.js")).state(context, job, options),
    );
  return teraslice;
}

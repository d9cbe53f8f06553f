import type { Command } from "commander";
import type { Context } from "../context";
import { group } from "./group";
import { filled } from "./parse";

export interface TerasliceOptions {
  readonly stack: string;
}
export type RenderOptions = TerasliceOptions & { readonly jobId: string; readonly exId: string };

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
  return teraslice;
}

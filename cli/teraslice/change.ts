import { success, type Context } from "../context";
import { StackFile } from "../../engine/stack/file";
import { deployChange } from "../stack/deployChange";
import { changeJob, Described, registerJob, turn } from "./entries";
import { deployed } from "./master";
import { flagOf } from "./which";
import type { ChangeOptions, RegisterOptions } from "./options";

/** Commands that change the stack file, preview the effect, ask, and deploy it. */

export async function deployTeraslice(context: Context, options: ChangeOptions): Promise<void> {
  const done = await change(context, options, "Deploy Teraslice?", (master) => turn(master, true));
  if (!done) return;
  const { endpoint } = await deployed(context.platforms, options);
  success(context, `the Teraslice master ${endpoint.name} is ready`);
  context.print(`  in Kubernetes  ${endpoint.url}\n  from here      ${endpoint.forward}`);
}

export async function destroyTeraslice(context: Context, options: ChangeOptions): Promise<void> {
  const question = "Remove Teraslice and the jobs that this platform registered?";
  if (await change(context, options, question, (master) => turn(master, false))) success(context, "Teraslice is down");
}

export async function register(context: Context, job: string, options: RegisterOptions): Promise<void> {
  let name = job;
  const done = await change(context, options, `Register the job ${job}?`, (master) => {
    name = registerJob(master, job, options.name, context.root, process.cwd(), options.asset);
  });
  if (done)
    success(context, `job ${name} is registered; start it: stackyard teraslice start ${name}${flagOf(options)}`);
}

export async function start(context: Context, job: string, options: ChangeOptions): Promise<void> {
  const done = await change(context, options, `Start the job ${job}?`, (master) =>
    changeJob(master, job, { state: "running" }),
  );
  if (done) success(context, `job ${job} runs`);
}

export async function stopTerasliceJob(context: Context, job: string, options: ChangeOptions): Promise<void> {
  const question = `Stop the job ${job}?`;
  const done = await change(context, options, question, (master) => changeJob(master, job, { state: "registered" }));
  if (done) success(context, `job ${job} is stopped`);
}

export async function scale(context: Context, job: string, workers: number, options: ChangeOptions): Promise<void> {
  const question = `Scale the job ${job} to ${workers} workers?`;
  const done = await change(context, options, question, (master) => changeJob(master, job, { workers }));
  if (done) success(context, `job ${job} has ${workers} workers`);
}

async function change(
  context: Context,
  options: ChangeOptions,
  question: string,
  edit: (master: Described) => void,
): Promise<boolean> {
  const file = await StackFile.read(context.root, options.stack);
  edit(Described.find(file, options.cluster));
  return deployChange(context, options.stack, file, question, options);
}

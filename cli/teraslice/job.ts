import { scalarText } from "../../foundation/json/scalars";
import { textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { workersOf, type Where } from "../../provider/resources/terasliceJob/leftovers";
import { success, type Context } from "../context";
import { Failure } from "../../foundation/errors";
import { deployed, masterOf } from "./master";
import { awaitStatus, exported, reach, recoverJob, restart as restartJob } from "./reached";
import { executionStatus } from "../../provider/resources/terasliceJob/master/execution";
import { flagOf } from "./which";
import { table } from "../terminal/table";
import { scale } from "./change";
import type {
  AwaitOptions,
  ChangeOptions,
  LogOptions,
  RecoverOptions,
  TerasliceShowOptions,
  TerasliceOptions,
} from "./options";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Shows the last log lines of a job's pods, with the pod's name if there are several. */
async function podLogs(
  { client, namespace }: Where,
  jobId: string,
  component: "worker" | "execution_controller",
  lines: number,
): Promise<string[]> {
  const label = `teraslice.terascope.io/jobId=${jobId},app.kubernetes.io/component=${component}`;
  const pods = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
  if (pods.length === 0) throw new Failure(`no pod of the job exists; see its errors with: stackyard teraslice errors`);
  const read = async ({ metadata, spec }: KubeObject): Promise<string[]> => {
    const { containers = [] } = (spec ?? {}) as { containers?: { name: string }[] };
    const pod = { apiVersion: "v1", kind: "Pod", namespace, name: metadata.name };
    const text = await client.log(pod, containers[0]?.name ?? "", false, lines);
    const prefix = pods.length > 1 ? `${metadata.name}  ` : "";
    return text.split("\n").map((line) => prefix + line);
  };
  return (await Promise.all(pods.map(read))).flat();
}

/** Commands for running jobs; they don't change the stack file. */

export async function pause(context: Context, job: string, options: TerasliceOptions): Promise<void> {
  const { site, job: found } = await reach(context, options, job);
  await site.master.command(`pause job ${job}`, found.jobId, "_pause");
  success(context, `job ${job} is paused; go on: stackyard teraslice resume ${job}${flagOf(options)}`);
}

export async function resume(context: Context, job: string, options: TerasliceOptions): Promise<void> {
  const { site, job: found } = await reach(context, options, job);
  await site.master.command(`resume job ${job}`, found.jobId, "_resume");
  success(context, `job ${job} runs on`);
}

export async function restart(context: Context, job: string, options: TerasliceOptions): Promise<void> {
  await restartJob(await reach(context, options, job));
  success(context, `job ${job} runs again`);
}

export async function recoverTerasliceJob(context: Context, job: string, options: RecoverOptions): Promise<void> {
  await recoverJob(await reach(context, options, job), options.cleanup);
  success(context, `job ${job} continues where it ended`);
}

export async function awaiting(context: Context, job: string, options: AwaitOptions): Promise<void> {
  const { status, timeout } = options;
  const execution = await awaitStatus(await reach(context, options, job, timeout), status ?? ["completed", "stopped"]);
  success(context, `job ${job} is ${executionStatus(execution)}`);
}

/** Shows the errors of failed slices that the master has stored. */
export async function errors(context: Context, job: string, options: TerasliceShowOptions): Promise<void> {
  const { site, job: found } = await reach(context, options, job);
  const list = await site.master.read(`read errors of job ${job}`, `/v1/jobs/${found.jobId}/errors?size=100`);
  const records = Array.isArray(list) ? list.filter(isObject) : [];
  if (options.json) return context.print(JSON.stringify(records, null, 2));
  if (records.length === 0) return context.print("no errors");
  const columns = ["SINCE", "SLICE", "ERROR"];
  const rows = records.map((one) => [
    scalarText(one["_created"]),
    scalarText(one["slice_id"]),
    firstLine(textAt(one, "error") ?? ""),
  ]);
  context.print(table(columns, rows));
}

export async function logs(context: Context, job: string, options: LogOptions): Promise<void> {
  const { lines, workers } = options;
  const { site, job: found } = await reach(context, options, job);
  for (const line of await podLogs(site, found.jobId, workers === true ? "worker" : "execution_controller", lines)) {
    context.print(line);
  }
}

/** Shows statistics of execution controllers, for all jobs or for one. */
export async function controllers(
  context: Context,
  job: string | undefined,
  options: TerasliceShowOptions,
): Promise<void> {
  const reached = job === undefined ? undefined : await reach(context, options, job);
  const path = reached === undefined ? "cluster" : `jobs/${reached.job.jobId}`;
  const master = masterOf(reached?.platform ?? (await deployed(context.platforms, options)));
  const list = await master.read("read statistics", `/v1/${path}/${job === undefined ? "controllers" : "controller"}`);
  const found = Array.isArray(list) ? list.filter(isObject) : [];
  if (options.json) return context.print(JSON.stringify(found, null, 2));
  if (found.length === 0) return context.print("no job runs");
  const keys = ["name", "workers_active", "workers_available", "queued", "processed", "failed"];
  const columns = keys.map((key) => key.replace("_", " ").toUpperCase());
  const rows = found.map((one: Json) => keys.map((key) => scalarText(one[key])));
  context.print(table(columns, rows));
}

/** Exports the job as a file that can be registered elsewhere. */
export async function exportJob(context: Context, job: string, options: TerasliceOptions): Promise<void> {
  const { site, job: found, platform } = await reach(context, options, job);
  const registered = await site.master.job(found.jobId);
  if (!registered) throw new Failure(`job ${job} was deleted at the master`);
  context.print(JSON.stringify(exported(registered, platform.endpoint.podSpecOverride), null, 2));
}

/** Adds or removes workers, or sets their number, and records this in the stack file. */
export async function workers(
  context: Context,
  job: string,
  how: "add" | "remove" | "total",
  number: number,
  options: ChangeOptions,
): Promise<void> {
  if (how === "total") return scale(context, job, number, options);
  const { site, job: found } = await reach(context, options, job);
  const now = (await workersOf(site, found.jobId))?.wanted ?? Number(found.job["workers"] ?? Number.NaN);
  if (Number.isNaN(now)) throw new Failure(`the number of workers of job ${job} is not set: set it with total`);
  const total = how === "add" ? now + number : now - number;
  if (total < 1)
    throw new Failure(
      `job ${job} has ${now} workers; of ${number} fewer would leave none. To stop it: stackyard teraslice stop ${job}${flagOf(options)}`,
    );
  await scale(context, job, total, options);
}

const firstLine = (value: string): string => value.split("\n")[0] ?? "";

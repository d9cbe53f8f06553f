import { scalarText } from "../../foundation/json/scalars";
import { executionFailure, executionStatus, isLive } from "../../provider/resources/terasliceJob/master/execution";
import { controllerEnded, workersOf } from "../../provider/resources/terasliceJob/leftovers";
import type { Context } from "../context";
import { table } from "../terminal/table";

import { deployed, jobNamed, masterOf, type Deployed, type DeployedJob } from "./master";
import { CONTROLLER_ENDED } from "./reached";
import type { TerasliceShowOptions } from "./options";

/** Shows the master and its jobs from the stack's state. */
export async function showTeraslice(context: Context, options: TerasliceShowOptions): Promise<void> {
  const { endpoint, jobs } = await deployed(context.platforms, options);
  if (options.json) return context.print(JSON.stringify({ ...endpoint, jobs }, null, 2));
  const lines = [
    ["name", endpoint.name],
    ["namespace", endpoint.namespace],
    ["in Kubernetes", endpoint.url],
    ["from here", endpoint.forward],
  ].map(([what = "", how]) => `${what.padEnd(14)} ${how}`);
  if (jobs.length === 0) return context.print([...lines, "no jobs"].join("\n"));
  const columns = ["JOB", "NAME", "STATE", "WORKERS", "ID"];
  const rows = jobs.map(({ key, job, state, jobId }) => [
    key,
    scalarText(job["name"]),
    state,
    scalarText(job["workers"]),
    jobId,
  ]);
  context.print([...lines, "", table(columns, rows)].join("\n"));
}

/** Shows the status of all jobs, or of one, from the master. */
export async function state(context: Context, job: string | undefined, options: TerasliceShowOptions): Promise<void> {
  const platform = await deployed(context.platforms, options);
  const jobs = job === undefined ? platform.jobs : [jobNamed(platform, job, options)];
  const states = await Promise.all(jobs.map((each) => stateOf(platform, each)));
  if (options.json) return context.print(JSON.stringify(states, null, 2));
  if (states.length === 0) return context.print("no jobs");
  const columns = ["JOB", "STATUS", "WORKERS", "SINCE", "EXECUTION", "REASON"];
  const rows = states.map((one) => [one.job, one.status, one.workers, one.since, one.execution, one.reason]);
  context.print(table(columns, rows));
}

async function stateOf(platform: Deployed, { key, jobId }: DeployedJob) {
  const master = masterOf(platform);
  const where = { client: platform.client, namespace: platform.endpoint.namespace };
  const isOver = await controllerEnded(where, jobId);
  const execution = await master.execution(jobId);
  // From Kubernetes, because an execution keeps its initial number.
  const workers = await workersOf(where, jobId);
  const gone = execution === undefined && (await master.job(jobId)) === undefined;
  return {
    job: key,
    status: gone ? "deleted at the master" : execution === undefined ? "registered" : executionStatus(execution),
    workers: workers === undefined ? "" : `${workers.ready}/${workers.wanted}`,
    since: scalarText(execution?.["_updated"]),
    execution: scalarText(execution?.["ex_id"]),
    reason:
      isOver && isLive(execution)
        ? `${CONTROLLER_ENDED} ${key}`
        : execution === undefined
          ? ""
          : executionFailure(execution),
  };
}

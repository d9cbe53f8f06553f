import { setTimeout as sleep } from "node:timers/promises";
import { without } from "../../kubernetes/objects/objects";
import {
  executionFailure,
  isLive,
  executionStatus,
  type Execution,
} from "../../provider/resources/terasliceJob/master/execution";
import { OWNER_LABEL } from "../../provider/resources/terasliceJob/inputs";
import { withoutOwner } from "../../provider/resources/terasliceJob/owner";
import { clear, controllerEnded } from "../../provider/resources/terasliceJob/leftovers";
import { Master } from "../../provider/resources/terasliceJob/master/master";
import { running, start, stopExecution } from "../../provider/resources/terasliceJob/run";
import type { JobSite } from "../../provider/resources/terasliceJob/site";
import type { TerasliceOptions } from "./options";
import type { Context } from "../context";
import { Failure, UsageError } from "../../foundation/errors";
import { deployed, jobNamed, type Deployed, type DeployedJob } from "./master";
import type { Json } from "../../foundation/json/isObject";

/** A job with the connections to its master and pods. */
export interface Reached {
  readonly site: JobSite;
  readonly job: DeployedJob;
}

/** A job with its platform. */
interface ReachedInPlatform extends Reached {
  readonly platform: Deployed;
}

/** Default time limit of commands for running jobs. */
const PATIENCE_SECONDS = 600;
const LOOK_MS = 1_000;

/** Returns the job with this name from the stack's state. */
export async function reach(
  context: Context,
  options: TerasliceOptions,
  name: string,
  seconds = PATIENCE_SECONDS,
): Promise<ReachedInPlatform> {
  const platform = await deployed(context.platforms, options);
  return { job: jobNamed(platform, name, options), platform, site: siteOf(context, platform, name, seconds) };
}

/** Opens the connection to one of its jobs. */
export function siteOf(
  context: Context,
  { client, endpoint }: Deployed,
  name: string,
  timeoutSeconds: number,
): JobSite {
  const deadline = Date.now() + timeoutSeconds * 1000;
  const signal = new AbortController().signal;
  const { namespace, service, url } = endpoint;
  const port = Number(new URL(url).port);
  const log = (_severity: string, message: string): void => context.live.line(`job ${name}: ${message}`);
  const warn = (message: string): void => log("warning", `the master reports: ${message}`);
  const master = new Master(client, { namespace, name: service, port }, signal, { deadline, warn });
  return { client, title: `job ${name}`, signal, deadline, timeoutSeconds, log, master, namespace, name };
}

/** Stops a running job, and starts it again as registered. */
export async function restart({ site, job }: Reached): Promise<void> {
  await stopExecution(site, job.jobId);
  await start(site, job.jobId);
}

/** The name of the job follows. */
export const CONTROLLER_ENDED = "its execution controller has ended; go on with stackyard teraslice recover";

/** Slices of the last execution to process again: all incomplete ones, failed ones, or ones that never started. */
const CLEANUPS = ["all", "errors", "pending"] as const;

/**
 * Continues where the last execution ended. Throws if the job is running, because a master would run both; one without an execution
 * controller is stopped first.
 */
export async function recoverJob({ site, job }: Reached, cleanup: string | undefined): Promise<void> {
  if (cleanup !== undefined && !CLEANUPS.some((each) => each === cleanup)) {
    throw new UsageError(`cleanup: found ${JSON.stringify(cleanup)}; expected ${CLEANUPS.join(", ")}`);
  }
  const execution = await site.master.execution(job.jobId);
  if (execution === undefined) throw new Failure(`job ${job.key} never ran, so there is nothing to go on with`);
  if (!isLive(execution)) await clear(site, job.jobId);
  else if (await controllerEnded(site, job.jobId)) await stopExecution(site, job.jobId);
  else throw new Failure(`job ${job.key} is ${executionStatus(execution)}; stop it before it is recovered`);
  const query = cleanup === undefined ? "" : `?cleanup_type=${cleanup}`;
  await site.master.command(`recover job ${job.key}`, job.jobId, `_recover${query}`);
  await running(site, job.jobId);
}

/** Waits until the execution has one of these statuses. Throws if it ends otherwise, or not in time. */
export async function awaitStatus({ site, job }: Reached, statuses: readonly string[]): Promise<Execution> {
  for (;;) {
    // Asked first: before it ends, a controller stores the status of its execution.
    const isOver = await controllerEnded(site, job.jobId);
    const execution = await site.master.execution(job.jobId);
    const status = executionStatus(execution);
    if (execution !== undefined && statuses.includes(status)) return execution;
    const wanted = statuses.join(" or ");
    if (execution !== undefined && !isLive(execution)) {
      throw new Failure(
        `job ${job.key} is ${status}, expected ${wanted}: ${executionFailure(execution) || "no reason given"}`,
      );
    }
    if (isOver) throw new Failure(`job ${job.key} is ${status}, expected ${wanted}: ${CONTROLLER_ENDED} ${job.key}`);
    if (Date.now() >= site.deadline) {
      throw new Failure(`job ${job.key} is still ${status} after ${site.timeoutSeconds} seconds, expected ${wanted}`);
    }
    site.log("status", status);
    await sleep(LOOK_MS);
  }
}

/** Keys that a master or the platform adds. */
const ADDED = /^(_.*|job_id|ex|active|teraslice_version)$/;

/** Returns the job as a file: the master's copy without what the master or this platform adds. */
export function exported(job: Json, added: Json | undefined): Json {
  const kept = Object.fromEntries(Object.entries(withoutOwner(job)).filter(([key]) => !ADDED.test(key)));
  const labels = without((kept["labels"] ?? {}) as Json, OWNER_LABEL);
  delete kept["labels"];
  // Additions for all jobs of this master are added again on registration.
  if (added !== undefined && JSON.stringify(kept["pod_spec_override"]) === JSON.stringify(added)) {
    delete kept["pod_spec_override"];
  }
  return { ...kept, ...(Object.keys(labels).length > 0 && { labels }) };
}

import { setTimeout as sleep } from "node:timers/promises";
import { isRefusal } from "../../../provider/resources/terasliceJob/master/answers";
import { isCompleted, isLive, executionStatus } from "../../../provider/resources/terasliceJob/master/execution";
import { clear, workersOf } from "../../../provider/resources/terasliceJob/leftovers";
import { running, start, stopExecution } from "../../../provider/resources/terasliceJob/run";
import type { JobSite } from "../../../provider/resources/terasliceJob/site";
import { Failure } from "../../../foundation/errors";
import type { RunningJob } from "./running";

/** Stops a job, and waits until its objects are gone. */
export const stopJob = (site: JobSite, { jobId }: RunningJob): Promise<void> => stopExecution(site, jobId);

/** Restores a job. One that completed meanwhile stays completed; one that already runs is left alone. */
export async function restoreJob(site: JobSite, job: RunningJob): Promise<void> {
  const { jobId, persistent, status } = job;
  if (status === "stopping") return;
  const execution = await site.master.execution(jobId);
  if (isCompleted(execution)) return;
  if (!isLive(execution)) await (persistent ? start(site, jobId) : recover(site, jobId));
  await scale(site, job);
  if (status === "paused" && executionStatus(await site.master.execution(jobId)) !== "paused") {
    await site.master.command(`pause job ${job.name}`, jobId, "_pause");
  }
}

/** Continues without repeating completed slices. If a reader can't continue, the execution fails with this reason. */
async function recover(site: JobSite, jobId: string): Promise<void> {
  await clear(site, jobId);
  await site.master.command(`recover job ${site.name}`, jobId, "_recover");
  await running(site, jobId);
}

/** An execution starts with the job's configured number, which may have been changed while it was running. */
async function scale(site: JobSite, { jobId, workers }: RunningJob): Promise<void> {
  if (workers === undefined || workers < 1) return;
  const now = (await workersOf(site, jobId))?.wanted;
  if (now !== undefined && now !== workers) await site.master.scale(jobId, workers);
}

interface Patience {
  /** How long a step is repeated after it began. */
  readonly forMs: number;
  readonly pauseMs: number;
}

/**
 * Repeats a step that fails early. Around the replacement of a master, one odd answer means little: proxies and network
 * policies learn the address of its pod a little later. A refusal of the master itself is final.
 */
export async function repeatedly(
  work: () => Promise<void>,
  { forMs, pauseMs }: Patience = { forMs: 60_000, pauseMs: 5_000 },
): Promise<void> {
  const until = Date.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error) || Date.now() + pauseMs > until) throw error;
    }
    await sleep(pauseMs);
  }
}

/** Runs an action for all jobs, a few at a time. Returns the errors by job. */
export async function withAll(
  jobs: readonly RunningJob[],
  work: (job: RunningJob) => Promise<void>,
  atOnce = 4,
): Promise<Map<RunningJob, string>> {
  const failed = new Map<RunningJob, string>();
  const waiting = [...jobs];
  const next = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        await work(job);
      } catch (error) {
        failed.set(job, error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return failed;
}

/** Combines their errors to one failure. */
export const jobsFailure = (what: string, failed: ReadonlyMap<RunningJob, string>): Failure =>
  new Failure([what, ...[...failed].map(([{ name }, why]) => `  - ${name}: ${why}`)].join("\n"));

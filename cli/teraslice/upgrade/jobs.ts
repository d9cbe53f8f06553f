import { isCompleted, isLive, statusOf } from "../../../provider/resources/terasliceJob/master/execution";
import { clear, workersOf } from "../../../provider/resources/terasliceJob/leftovers";
import { running, start, stop } from "../../../provider/resources/terasliceJob/master/run";
import type { Site } from "../../../provider/resources/terasliceJob/site";
import { Failure } from "../../../foundation/errors";
import type { RunningJob } from "./running";

/** Stops a job, until nothing of it is left. */
export const stopJob = (site: Site, { jobId }: RunningJob): Promise<void> => stop(site, jobId);

/** Restores a job as it was. One that ended by itself in between stays ended; one that runs already is left to run. */
export async function restoreJob(site: Site, job: RunningJob): Promise<void> {
  const { jobId, persistent, status } = job;
  if (status === "stopping") return;
  const execution = await site.master.execution(jobId);
  if (isCompleted(execution)) return;
  if (!isLive(execution)) await (persistent ? start(site, jobId) : recover(site, jobId));
  await scale(site, job);
  if (status === "paused" && statusOf(await site.master.execution(jobId)) !== "paused") {
    await site.master.command(`pause job ${job.name}`, jobId, "_pause");
  }
}

/** What was done is not done again. A reader that can't go on ends the execution, which says so. */
async function recover(site: Site, jobId: string): Promise<void> {
  await clear(site, jobId);
  await site.master.command(`recover job ${site.name}`, jobId, "_recover");
  await running(site, jobId);
}

/** Executions begin with the number of the job, which may have been scaled since. */
async function scale(site: Site, { jobId, workers }: RunningJob): Promise<void> {
  if (workers === undefined || workers < 1) return;
  const now = (await workersOf(site, jobId))?.wanted;
  if (now !== undefined && now !== workers) await site.master.scale(jobId, workers);
}

/** Does something with all jobs, a few at a time. Answers why it could not be done, for each that it was not. */
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

/** The failure of all of them, in lines. */
export const failureOf = (what: string, failed: ReadonlyMap<RunningJob, string>): Failure =>
  new Failure([what, ...[...failed].map(([{ name }, why]) => `  - ${name}: ${why}`)].join("\n"));

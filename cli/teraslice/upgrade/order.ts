import { Failure } from "../../../foundation/errors";
import { jobsFailure, withAll } from "./jobs";
import type { RunningJob } from "./running";

/** The steps of an upgrade. */
interface Steps {
  stop(job: RunningJob): Promise<void>;
  restore(job: RunningJob): Promise<void>;
  /** Updates only the master's objects, and waits until it is ready. */
  deployMaster(which: "new" | "old"): Promise<void>;
  note(text: string): void;
}

/** Result: success with all jobs, or a reason, with the jobs that were running before and are not any more. */
interface UpgradeOutcome {
  readonly failure?: Failure;
  readonly down: readonly RunningJob[];
}

/**
 * The procedure of upstream: stop the jobs, replace the master, start the jobs. No execution runs meanwhile, because it
 * might not survive a different version. If the new master, or a job with it, does not start, the old master is
 * restored with all jobs.
 */
export async function upgradeInOrder(jobs: readonly RunningJob[], steps: Steps): Promise<UpgradeOutcome> {
  steps.note(jobs.length === 0 ? "no job runs" : `stops ${count(jobs)}`);
  const running = await withAll(jobs, (job) => steps.stop(job));
  if (running.size > 0) {
    const trouble = jobsFailure("not all jobs could be stopped, so the master was left alone", running);
    return back(jobs, steps, trouble);
  }
  try {
    steps.note("replaces the master");
    await steps.deployMaster("new");
  } catch (error) {
    return rollBack(jobs, steps, error);
  }
  if (jobs.length > 0) steps.note(`restores ${count(jobs)}`);
  const failed = await withAll(jobs, (job) => steps.restore(job));
  if (failed.size === 0) return { down: [] };
  const trouble = jobsFailure("not all jobs started again with the new master", failed);
  steps.note("stops the jobs that started again");
  // A job that can't be stopped must not keep the others without their master.
  const stuck = await withAll(jobs, (job) => steps.stop(job));
  for (const [{ name }, why] of stuck) steps.note(`job ${name} does not stop: ${why}`);
  return rollBack(jobs, steps, trouble);
}

async function rollBack(jobs: readonly RunningJob[], steps: Steps, cause: unknown): Promise<UpgradeOutcome> {
  const why = cause instanceof Error ? cause.message : String(cause);
  steps.note("rolls back to the old master");
  try {
    await steps.deployMaster("old");
  } catch (error) {
    const names = jobs.map(({ name }) => name).join(", ");
    const after = error instanceof Error ? error.message : String(error);
    const rest = names === "" ? "" : `. These jobs ran before, and are stopped: ${names}. ${AGAIN}`;
    return {
      failure: new Failure(`${why}\nThe old master could not be restored either: ${after}${rest}`),
      down: jobs,
    };
  }
  return back(jobs, steps, new Failure(`${why}\nThe old master is restored`));
}

/** Restores jobs with the old master, and reports those that don't start. */
async function back(jobs: readonly RunningJob[], steps: Steps, cause: Failure): Promise<UpgradeOutcome> {
  const failed = await withAll(jobs, (job) => steps.restore(job));
  if (failed.size > 0) {
    const { message } = jobsFailure(`${cause.message}\nThese jobs ran before, and do not now:`, failed);
    return { failure: new Failure(`${message}\n${AGAIN}`), down: [...failed.keys()] };
  }
  return { failure: jobs.length === 0 ? cause : new Failure(`${cause.message}\nAll jobs run as before`), down: [] };
}

const AGAIN = "The next upgrade, to any image, restores them";

const count = (jobs: readonly RunningJob[]): string => (jobs.length === 1 ? "1 job" : `${jobs.length} jobs`);

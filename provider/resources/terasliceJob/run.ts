/** Starts and stops a job, and waits for the result. */

import { ApiError } from "../../../kubernetes/client/apiError";
import { textAt } from "../../../kubernetes/objects/objects";
import { until } from "../../../kubernetes/work/work";
import { isLate } from "./master/answers";
import type { Execution } from "./master/execution";
import { executionFailure, isComing, isCompleted, isLive, executionStatus } from "./master/execution";
import { clear, troublesOf } from "./leftovers";
import type { JobSite } from "./site";
import type { Json } from "../../../foundation/json/isObject";

/** Share of the time limit for a graceful stop, which waits for slices in progress; then the stop is forced. */
const POLITE = 0.5;
/** How often to check the pods while a job is starting. */
const LOOK_EVERY_MS = 3_000;

const exOf = (execution: Execution | undefined): string | undefined => textAt(execution, "ex_id");

/** Starts a new execution and waits until it runs. First removes leftovers of an earlier one. */
export async function start(site: JobSite, jobId: string): Promise<void> {
  const before = exOf(await site.master.execution(jobId));
  await clear(site, jobId);
  site.log("status", "starts");
  await until(
    site,
    async () => {
      try {
        await site.master.start(jobId);
        return true;
      } catch (error) {
        // After a lost response, a new execution shows that the request succeeded.
        if (exOf(await site.master.execution(jobId)) !== before) return true;
        if (isLate(error)) return undefined;
        if (!isLeftOver(error)) throw error;
        site.log("status", "the master still sees objects of the last execution");
        await clear(site, jobId);
        return undefined;
      }
    },
    () => Promise.resolve(late(site, "could not be started", "the master has no new execution of it")),
  );
  await running(site, jobId);
}

const isLeftOver = (error: unknown): boolean => error instanceof ApiError && /orphan/i.test(error.message);

/** Waits until the newest execution runs or has completed. */
export async function running(site: JobSite, jobId: string): Promise<void> {
  let execution: Execution | undefined;
  let looked = 0;
  const look = async (): Promise<true | undefined> => {
    execution = await site.master.execution(jobId);
    if (execution !== undefined && !isComing(execution)) {
      if (isLive(execution) || isCompleted(execution)) return true;
      throw ended(site, execution);
    }
    site.log("status", executionStatus(execution));
    if (Date.now() - looked < LOOK_EVERY_MS) return undefined;
    looked = Date.now();
    const final = (await troublesOf(site, jobId)).filter((trouble) => trouble.final);
    if (final.length > 0) throw new Error(`job ${site.name} cannot run: ${textOf(final)}`);
    return undefined;
  };
  await until(site, look, async () => {
    const troubles = await troublesOf(site, jobId);
    const why =
      troubles.length > 0 ? textOf(troubles) : "its pods report nothing; see the log of the execution controller";
    return late(site, `is still ${executionStatus(execution)}`, why);
  });
}

const textOf = (troubles: readonly { text: string }[]): string => troubles.map(({ text }) => text).join("; ");

function ended(site: JobSite, execution: Execution): Error {
  const why = executionFailure(execution);
  return new Error(
    `job ${site.name} ${executionStatus(execution)} (execution ${exOf(execution) ?? ""})${why === "" ? "" : `: ${why}`}`,
  );
}

const late = (site: JobSite, what: string, why: string): Error =>
  new Error(`job ${site.name} ${what} after ${site.timeoutSeconds} seconds: ${why}`);

/** Stops the running execution, and waits until it has ended and its objects in Kubernetes are gone. */
export async function stopExecution(site: JobSite, jobId: string): Promise<void> {
  const begun = Date.now();
  const polite = begun + (site.deadline - begun) * POLITE;
  let asked = false;
  let forced = false;
  let execution: Json | undefined;
  const look = async (): Promise<true | undefined> => {
    execution = await site.master.execution(jobId);
    if (!isLive(execution)) return true;
    const force = Date.now() >= polite;
    if (!asked || (force && !forced)) {
      site.log("status", force ? "stops by force: it did not end by itself" : "stops");
      await site.master.stop(jobId, force);
      [asked, forced] = [true, force];
    }
    return undefined;
  };
  await until(site, look, () =>
    Promise.resolve(late(site, `is still ${executionStatus(execution)}`, "it does not stop")),
  );
  await clear(site, jobId);
}

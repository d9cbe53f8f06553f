/** Waits for a run, with progress, and stops it. */

import { ApiError, UnreachableError } from "../../../kubernetes/client/apiError";
import { Failure } from "../../../foundation/errors";
import { until } from "../../../kubernetes/work/work";
import type { JobInputs } from "./inputs";
import { hasEnded, type JobStatus } from "./jobs";
import type { JobSite } from "./site";

/** How often the log is read for progress. */
const LOG_EVERY_MS = 5_000;
/** Ray returns the complete log; a larger one is read only after the end. */
const LOG_LIMIT = 1_000_000;
const LAST_LINES = 20;
const LONGEST_LINE = 500;

/** Waits until a run has ended, or runs. Stops it at the deadline and throws. */
export async function followed(site: JobSite, id: string, waitFor: JobInputs["waitFor"]): Promise<JobStatus> {
  const progress = new Progress(site, id);
  const look = async (): Promise<JobStatus | undefined> => {
    const status = await patiently(site, () => site.jobs.find(id));
    if (status === "silent") return undefined;
    if (status === undefined) throw new Error(`${site.title}: ${LOST} (${id}); the next update submits it again`);
    if (hasEnded(status) || (waitFor === "running" && status.status === "RUNNING")) return status;
    await progress.show(status);
    return undefined;
  };
  return until(site, look, async () => {
    const lines = await lastLines(site, id);
    await stopped(site, id);
    const wanted = waitFor === "running" ? "does not run" : "is not completed";
    return new Error(`${site.title} ${wanted} after ${site.timeoutSeconds} seconds and was stopped (${id})${lines}`);
  });
}

const LOST = "the Ray cluster no longer has this run, because its head was restarted";

/** The failure of a run that has ended. */
export async function failureOf(site: JobSite, id: string, { status, message }: JobStatus): Promise<Error> {
  const [first = ""] = (message ?? "").split("\n", 1);
  const what = status === "STOPPED" ? "was stopped by somebody" : "failed";
  return new Error(`${site.title} ${what} (${id})${first === "" ? "" : `: ${first}`}${await lastLines(site, id)}`);
}

/** Stops a run and waits until it has ended. One that has ended, or that the cluster does not have, is left alone. */
export async function stopped(site: JobSite, id: string): Promise<void> {
  let asked = false;
  // A stop after the deadline of the operation has time, too.
  const deadline = Math.max(site.deadline, Date.now() + STOP_MS);
  const look = async (): Promise<true | undefined> => {
    const status = await site.jobs.find(id);
    if (status === undefined || hasEnded(status)) return true;
    if (!asked) await site.jobs.stop(id);
    asked = true;
    return undefined;
  };
  await until({ signal: site.signal, deadline }, look, () =>
    Promise.resolve(new Error(`${site.title}: the run ${id} does not stop`)),
  );
}

const STOP_MS = 60_000;

/** A head that is restarted does not answer for a while. */
async function patiently<T>(site: JobSite, ask: () => Promise<T>): Promise<T | "silent"> {
  try {
    return await ask();
  } catch (error) {
    if (!isSilence(error)) throw error;
    site.log("status", error.message);
    return "silent";
  }
}

/** Whether no head answered, which may pass. */
export const isSilence = (error: unknown): error is Error =>
  error instanceof Failure ||
  (error instanceof UnreachableError && error.passing) ||
  (error instanceof ApiError && error.code >= 502);

class Progress {
  private readonly since = Date.now();
  private looked = 0;
  private line = "";
  private isLong = false;

  constructor(
    private readonly site: JobSite,
    private readonly id: string,
  ) {}

  async show({ status, message }: JobStatus): Promise<void> {
    if (status === "RUNNING" && !this.isLong && Date.now() - this.looked >= LOG_EVERY_MS) {
      this.looked = Date.now();
      const log = await this.site.jobs.log(this.id).catch(() => "");
      this.isLong = log.length > LOG_LIMIT;
      this.line = linesOf(log).at(-1) ?? "";
    }
    const seconds = Math.round((Date.now() - this.since) / 1000);
    const detail = status === "PENDING" ? (message ?? "") : this.line;
    this.site.log("status", `${status.toLowerCase()} for ${seconds} s${detail === "" ? "" : `: ${detail}`}`);
  }
}

async function lastLines(site: JobSite, id: string): Promise<string> {
  const lines = linesOf(await site.jobs.log(id).catch(() => "")).slice(-LAST_LINES);
  return lines.length === 0 ? "" : `. Its last lines:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

const linesOf = (log: string): string[] =>
  log
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.slice(0, LONGEST_LINE));

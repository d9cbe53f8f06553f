import type { TestJob } from "./jobs";
import type { JobOutcome } from "./results";

/** More failures can't be caused by a busy machine. */
const MOST = 5;

/**
 * Returns the indexes of jobs to run a second time, alone. On a fully loaded machine, one test in thousands may miss a
 * timeout; a bug fails twice. Checks are never repeated, because they only depend on the files.
 */
export function again(jobs: readonly TestJob[], outcomes: readonly JobOutcome[]): readonly number[] {
  const failed = outcomes.flatMap(({ ok }, at) => (ok || jobs[at] === "check" ? [] : [at]));
  return failed.length > MOST ? [] : failed;
}

import type { Job } from "./jobs";
import type { Outcome } from "./results";

/** More than these are no accident of a busy machine. */
const MOST = 5;

/**
 * Indexes of the jobs to run a second time, by themselves. On a machine that runs as many tests as it can, one in thousands may
 * miss a timeout; a fault in the code fails twice. Checks are never repeated: they depend on the files alone.
 */
export function again(jobs: readonly Job[], outcomes: readonly Outcome[]): readonly number[] {
  const failed = outcomes.flatMap(({ ok }, at) => (ok || jobs[at] === "check" ? [] : [at]));
  return failed.length > MOST ? [] : failed;
}

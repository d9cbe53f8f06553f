/** Runs one job after the other; each lane has its own resources. */
export interface Lane<Job, Result> {
  run(job: Job): Promise<Result>;
  /** Releases the resources of the lane; called once, after its last job. */
  end(): Promise<void>;
}

/**
 * Runs jobs in several lanes in parallel; each lane takes the next job as soon as it is free. The results are in the
 * order of the jobs. Every lane is ended even if a job throws; then the first error is thrown.
 */
export async function inLanes<Job, Result>(
  jobs: readonly Job[],
  lanes: readonly Lane<Job, Result>[],
): Promise<Result[]> {
  const results = new Array<Result>(jobs.length);
  const waiting = jobs.entries();
  const settled = await Promise.allSettled(
    lanes.map(async (lane) => {
      try {
        for (const [at, job] of waiting) results[at] = await lane.run(job);
      } finally {
        await lane.end();
      }
    }),
  );
  const wrong = settled.find((each) => each.status === "rejected");
  if (wrong) throw wrong.reason;
  return results;
}

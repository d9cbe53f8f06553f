/** Works on one job after another; each lane has its own. */
export interface Lane<Job, Result> {
  run(job: Job): Promise<Result>;
  /** Frees what the lane holds; called once, after its last job. */
  end(): Promise<void>;
}

/**
 * Works on jobs in several lanes side by side; each lane takes the next job as soon as it is free. The results are in
 * the order of the jobs. Every lane is ended, also when a job throws; the first error is thrown after that.
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

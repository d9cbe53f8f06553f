import { Failure } from "../../foundation/errors";
import { registerWork } from "../process/interrupt";
import type { Request } from "../runtime/request/request";
import { failedResult, type Result } from "../runtime/result";
import { EnginePool } from "./enginePool";
import type { EngineJob } from "./messages";

/** A job of many: one runtime to deploy or delete. */
export interface RuntimeJob extends Pick<
  EngineJob,
  "command" | "defaultPlatform" | "existing" | "refresh" | "waitSeconds"
> {
  readonly request: Request;
  /** Default: false, which deploys. */
  readonly destroy?: boolean;
}

export interface PoolOptions {
  /** Number of workers. */
  readonly parallel: number;
  readonly onResult: (result: Result) => void;
  /** Called with the ids in progress whenever a job starts. */
  readonly onBegin?: (ids: readonly string[]) => void;
  /** True if no further job should start. */
  readonly isStopped?: () => boolean;
}

/** Runs jobs, at most `parallel` at a time. Returns those that never started. */
export async function runInTurn(
  jobs: readonly RuntimeJob[],
  { parallel, onResult, onBegin, isStopped }: PoolOptions,
  run: (job: RuntimeJob) => Promise<Result>,
): Promise<readonly RuntimeJob[]> {
  const waiting = [...jobs];
  const begun = new Set<string>();
  const work = async (): Promise<void> => {
    for (let job = waiting[0]; job !== undefined && isStopped?.() !== true; job = waiting[0]) {
      waiting.shift();
      const { id } = job.request;
      const started = performance.now();
      begun.add(id);
      onBegin?.([...begun]);
      const result = await run(job).catch((error: unknown) => failedResult(id, error, started));
      begun.delete(id);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, jobs.length) }, work));
  return waiting;
}

/**
 * Deploys many runtimes in workers of this same program, which find the project by themselves. After Ctrl-C, jobs in
 * progress end cleanly and no other starts. Returns the jobs that never started.
 */
export async function runJobs(jobs: readonly RuntimeJob[], options: PoolOptions): Promise<readonly RuntimeJob[]> {
  let begun: readonly string[] = [];
  const canceled = new AbortController();
  const { signal } = canceled;
  const pool = new EnginePool({
    command: [process.argv[1] ?? "", "--worker"],
    env: process.env,
    count: Math.min(options.parallel, jobs.length),
    onSaid: (line) => void process.stderr.write(`${line}\n`),
  });
  const run = async ({ request, destroy, ...how }: RuntimeJob): Promise<Result> => {
    const verb = destroy === true ? ({ verb: "destroy", existing: "must-exist" } as const) : ({ verb: "up" } as const);
    const result = await pool.run({ ...request, ...how, ...verb }, { signal });
    if ("broken" in result) throw new Failure(`${result.reason}; run the same again`);
    return result;
  };
  const done = registerWork({
    changes: () => `the updates of ${begun.join(", ")}`,
    stop: (how) => {
      canceled.abort();
      // Starts no worker in the place of one that ends.
      pool.close();
      if (how === "kill") void pool.end();
    },
  });
  const onBegin = (ids: readonly string[]): void => {
    begun = ids;
    options.onBegin?.(ids);
  };
  const onResult = (result: Result): void => {
    begun = begun.filter((id) => id !== result.id);
    options.onResult(result);
  };
  const isStopped = (): boolean => signal.aborted || options.isStopped?.() === true;
  try {
    return await runInTurn(jobs, { ...options, onBegin, onResult, isStopped }, run);
  } finally {
    done();
    await pool.end();
  }
}

import { Failure } from "../../foundation/errors";
import { registerWork } from "../process/interrupt";
import type { Result } from "../runtime/result";
import { EnginePool } from "./enginePool";
import { rollOut, type Rollout, type RolloutOptions, type RuntimeJob } from "./rollout";

/**
 * Runs waves of jobs in workers of this same program, which find the project by themselves. After Ctrl-C, jobs in
 * progress end cleanly and no other starts.
 */
export async function runJobs(waves: readonly (readonly RuntimeJob[])[], options: RolloutOptions): Promise<Rollout> {
  let begun: readonly string[] = [];
  const canceled = new AbortController();
  const { signal } = canceled;
  const pool = new EnginePool({
    command: [process.argv[1] ?? "", "--worker"],
    env: process.env,
    count: Math.min(options.parallel, waves.flat().length),
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
    return await rollOut(waves, { ...options, onBegin, onResult, isStopped }, run);
  } finally {
    done();
    await pool.end();
  }
}

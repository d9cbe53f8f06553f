import { isInterrupted } from "../../engine/process/interrupt";
import { runJobs, type RuntimeJob } from "../../engine/workers/pool";
import type { Result } from "../../engine/runtime/result";

interface RolloutOptions {
  /** Number of concurrent operations. */
  readonly parallel: number;
  /** If more fail, no further one starts. Default: unlimited. */
  readonly maxFailures?: number;
  readonly onWave: (number: number) => void;
  /** Called with the ids in progress whenever an operation starts. */
  readonly onBegin?: (ids: readonly string[]) => void;
  readonly onResult: (result: Result) => void;
}

/** Result of a rollout. */
export interface Rollout {
  readonly results: readonly Result[];
  /** Ids that were not started, because too many failed or a user stopped the rollout. */
  readonly notBegun: readonly string[];
  readonly tooManyFailed: boolean;
}

/**
 * Runs the waves one after the other. The next wave starts when the previous one has ended without too many failures.
 */
export async function rollOut(
  waves: readonly (readonly RuntimeJob[])[],
  options: RolloutOptions,
  run: typeof runJobs = runJobs,
): Promise<Rollout> {
  const results: Result[] = [];
  const left: RuntimeJob[] = waves.flat();
  const tooManyFailed = () => results.filter(({ ok }) => !ok).length > (options.maxFailures ?? Infinity);
  for (const [index, wave] of waves.entries()) {
    options.onWave(index + 1);
    const notBegun = await run(wave, {
      parallel: options.parallel,
      isStopped: tooManyFailed,
      onBegin: options.onBegin,
      onResult: (result) => {
        results.push(result);
        options.onResult(result);
      },
    });
    left.splice(0, wave.length, ...notBegun);
    if (notBegun.length > 0 || tooManyFailed() || isInterrupted()) break;
  }
  return { results, notBegun: left.map(({ request }) => request.id), tooManyFailed: tooManyFailed() };
}

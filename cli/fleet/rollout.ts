import { isInterrupted } from "../../engine/interrupt";
import { runJobs, type Job } from "../../engine/workers/pool";
import type { Result } from "../../engine/runtime/result";

export interface RolloutOptions {
  /** How many at a time. */
  readonly parallel: number;
  /** When more have failed, no other is begun. Default: continue with the others. */
  readonly maxFailures?: number;
  readonly onWave: (number: number) => void;
  /** Called with those in progress whenever one is begun. */
  readonly onBegin?: (ids: readonly string[]) => void;
  readonly onResult: (result: Result) => void;
}

/** How a rollout ended. */
export interface Rollout {
  readonly results: readonly Result[];
  /** Ids of those that were not begun, because too many failed or somebody stopped it. */
  readonly notBegun: readonly string[];
  readonly tooManyFailed: boolean;
}

/** One wave after the other; the next begins when all of the one before have ended, and few enough have failed. */
export async function rollOut(
  waves: readonly (readonly Job[])[],
  options: RolloutOptions,
  run: typeof runJobs = runJobs,
): Promise<Rollout> {
  const results: Result[] = [];
  const left: Job[] = waves.flat();
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

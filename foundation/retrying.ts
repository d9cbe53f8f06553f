import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does work again after an error for which `pauseAfter` gives a pause in milliseconds; other errors are thrown.
 * `attempt`: 1 for the first error. `signal`: ends a pause.
 */
export async function retrying<T>(
  work: () => Promise<T>,
  pauseAfter: (error: unknown, attempt: number) => number | undefined,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt);
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

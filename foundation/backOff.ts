import { setTimeout as sleep } from "node:timers/promises";

export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * Returns the pause before attempt `attempt` + 1. It doubles each time and is shortened randomly by up to half, so that
 * attempts that failed together don't retry together. Pure, except for the random number.
 */
export function backOff(attempt: number, { firstMs, mostMs }: BackOff, chance: () => number = Math.random): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(full * (1 - chance() / 2));
}

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

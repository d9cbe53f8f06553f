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

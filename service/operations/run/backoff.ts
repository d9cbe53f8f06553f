export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * How long to wait before try `attempt` + 1: twice as long each time, and by chance up to half of that less, so that many who
 * failed together don't try again together. Pure, but for the chance.
 */
export function backOff(attempt: number, { firstMs, mostMs }: BackOff, chance: () => number = Math.random): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(full * (1 - chance() / 2));
}

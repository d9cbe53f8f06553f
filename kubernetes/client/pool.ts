/** Bounded concurrency. */

export const CONCURRENCY = 16;

/** Runs `work` for all items, at most `atOnce` at a time. Returns results in their order. The first error starts no more. */
export async function forAll<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = CONCURRENCY,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, worker);
  // Waits for all workers before it throws, so that nothing keeps running.
  const ended = await Promise.allSettled(workers);
  const rejected = ended.find((one) => one.status === "rejected");
  if (rejected) throw rejected.reason;
  return results;
}

/** Calls that come while one is running share the next one, which begins after all of them. */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    return (running = work());
  };
  return () => (next ??= running.then(begin, begin));
}

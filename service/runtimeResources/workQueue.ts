import { backOff, type BackOff } from "../../foundation/backOff";

const FAILURES: BackOff = { firstMs: 1_000, mostMs: 60_000 };

interface Entry {
  isRunning: boolean;
  /** Asked for while it was running. */
  isDue: boolean;
  failures: number;
  timer?: NodeJS.Timeout;
}

export interface WorkQueueOptions {
  /** Works on a key. Returns after how many milliseconds to do it again; undefined for when it is asked for. */
  readonly work: (key: string) => Promise<number | undefined>;
  readonly onError: (key: string, error: unknown) => void;
  readonly atOnce: number;
  /** Pauses after failures. */
  readonly failures?: BackOff;
}

/**
 * Works on keys, several at once, and never twice at once on one. However often a key is asked for while it waits, it is
 * worked on once; after a failure, again with growing pauses.
 */
export class WorkQueue {
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: string[] = [];
  private running = 0;
  private isEnded = false;
  private idle: (() => void) | undefined;

  constructor(private readonly options: WorkQueueOptions) {}

  add(key: string): void {
    if (this.isEnded) return;
    const entry = this.entries.get(key) ?? { isRunning: false, isDue: false, failures: 0 };
    this.entries.set(key, entry);
    clearTimeout(entry.timer);
    if (entry.isDue) return;
    entry.isDue = true;
    if (!entry.isRunning) this.waiting.push(key);
    this.next();
  }

  /** Accepts no more work, and waits for that in progress. */
  async end(): Promise<void> {
    this.isEnded = true;
    for (const { timer } of this.entries.values()) clearTimeout(timer);
    this.waiting.length = 0;
    if (this.running > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private next(): void {
    while (this.running < this.options.atOnce) {
      const key = this.waiting.shift();
      if (key === undefined) return;
      void this.run(key, this.entries.get(key)!);
    }
  }

  private async run(key: string, entry: Entry): Promise<void> {
    const { work, onError, failures } = this.options;
    this.running++;
    Object.assign(entry, { isRunning: true, isDue: false });
    let pause: number | undefined;
    try {
      pause = await work(key);
      entry.failures = 0;
    } catch (error) {
      onError(key, error);
      pause = backOff(++entry.failures, failures ?? FAILURES);
    }
    this.running--;
    entry.isRunning = false;
    if (this.isEnded) {
      if (this.running === 0) this.idle?.();
      return;
    }
    if (entry.isDue) this.waiting.push(key);
    else if (pause !== undefined) entry.timer = setTimeout(() => this.add(key), pause).unref();
    else if (entry.failures === 0) this.entries.delete(key);
    this.next();
  }
}

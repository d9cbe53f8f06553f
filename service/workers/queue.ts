import { run, type Runner, type RunnerOptions } from "graphile-worker";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../foundation/errors";
import type { Log } from "./log";

const PAUSE_MS = 1_000;

/**
 * graphile-worker, started again whenever it ends by itself: it gives up after some seconds without its database, and would
 * leave the process alive without work. Jobs that it held are queued again by service/operations/run/recover.ts.
 */
export class Queue {
  private runner: Runner | undefined;
  private reason: string | undefined;
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;

  private constructor(
    private readonly options: RunnerOptions,
    private readonly log: Log,
    first: Runner,
  ) {
    this.runner = first;
    this.watching = this.watch();
  }

  /** Throws if it can't be started at first. */
  static async start(options: RunnerOptions, log: Log): Promise<Queue> {
    return new Queue(options, log, await begin(options));
  }

  /** Why it does not work at the moment; undefined while it does. */
  get trouble(): string | undefined {
    return this.reason;
  }

  /** Takes nothing on any more, and waits for the jobs in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.runner?.stop().catch(() => undefined);
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      const why = await this.runner?.promise.then(() => "it ended", messageOf);
      if (signal.aborted) return;
      this.runner = undefined;
      this.reason = why;
      this.log.warn({ component: "queue" }, `the queue has stopped and is started again: ${why}`);
      while (this.runner === undefined) {
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        await this.again();
      }
    }
  }

  private async again(): Promise<void> {
    try {
      this.runner = await begin(this.options);
      this.reason = undefined;
    } catch (error) {
      this.reason = messageOf(error);
      return;
    }
    // Somebody stopped it in this moment.
    if (this.stopping.signal.aborted) await this.runner.stop().catch(() => undefined);
  }
}

/** Without batches, the end of a job that can't be written is an unhandled rejection, which ends the process. */
const begin = (options: RunnerOptions): Promise<Runner> =>
  run({ ...options, preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } } });

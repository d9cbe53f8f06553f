import { Logger, run, type Runner, type RunnerOptions } from "graphile-worker";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../foundation/errors";
import type { Log } from "../log";

const PAUSE_MS = 1_000;

/**
 * Wraps graphile-worker and restarts it when it stops: after some seconds without its database it gives up, and the
 * process would stay alive without work. service/operations/run/recover.ts queues the jobs that it held.
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

  /** Throws if the first start fails. */
  static async start(options: RunnerOptions, log: Log): Promise<Queue> {
    return new Queue(options, log, await begin(options));
  }

  /** Why the queue is not running; undefined while it runs. */
  get trouble(): string | undefined {
    return this.reason;
  }

  /** Accepts no more jobs, and waits for those in progress. */
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
    // Stopped during the restart.
    if (this.stopping.signal.aborted) await this.runner.stop().catch(() => undefined);
  }
}

/** Without batching, a failure to write the end of a job is an unhandled rejection, which ends the process. */
const begin = (options: RunnerOptions): Promise<Runner> =>
  run({ ...options, preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } } });

/** Logs the queue's messages without those about single jobs. */
export const queueLog = (log: Log): Logger =>
  new Logger(({ taskIdentifier: task }) => (level, message) => {
    const said: string = level;
    const fields = { component: "queue", ...(task !== undefined && { task }) };
    if (said === "error") log.error(fields, message);
    if (said === "warning") log.warn(fields, message);
  });

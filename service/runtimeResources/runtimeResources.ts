import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { messageOf } from "../../foundation/errors";
import { watch } from "../../kubernetes/client/watch";
import type { Listener } from "../database/listener";
import type { Log } from "../log";
import { RUNTIMES } from "./kind";
import { lead } from "./leader";
import { Reconciler, type ReconcilerOptions } from "./reconciler";
import { WorkQueue } from "./workQueue";

export interface RuntimeResourcesOptions extends ReconcilerOptions {
  readonly pool: Pick<Pool, "connect">;
  readonly listener: Pick<Listener, "changes">;
  readonly log: Log;
}

/** Each watch begins with all Runtimes, so nothing is missed for longer than this. */
const WATCH_SECONDS = 60;
/** Pause after a watch that the API server refused, such as without the CRD. */
const PAUSE_MS = 10_000;
const AT_ONCE = 8;

/** Serves the Runtimes of one namespace, in one process of the service at a time. */
export class RuntimeResources {
  private readonly stopping = new AbortController();
  private readonly done: Promise<void>;
  /** Why the last watch failed; logged once. */
  private trouble: string | undefined;

  constructor(private readonly options: RuntimeResourcesOptions) {
    const { pool, namespace, log } = options;
    const onError = (error: unknown): void => log.warn({ namespace, err: error }, "Runtimes could not be served");
    this.done = lead(pool, `stackyard runtimes ${namespace}`, (signal) => this.work(signal), {
      signal: this.stopping.signal,
      onError,
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.done;
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { namespace, log } = this.options;
    log.info({ namespace }, "this process serves the Runtimes of the namespace");
    const reconciler = new Reconciler(this.options);
    const names = new Map<string, string>();
    const queue = new WorkQueue({
      atOnce: AT_ONCE,
      work: async (name) => {
        const { stack, again } = await reconciler.look(name);
        if (stack !== undefined) names.set(stack, name);
        return again;
      },
      onError: (runtime, error) => log.warn({ namespace, runtime, err: error }, "a Runtime could not be looked at"),
    });
    await Promise.all([
      this.follow((name) => queue.add(name), signal),
      this.followOperations((stack) => {
        const name = names.get(stack);
        if (name !== undefined) queue.add(name);
      }, signal),
    ]);
    await queue.end();
  }

  private async follow(hear: (name: string) => void, signal: AbortSignal): Promise<void> {
    const { client, namespace, log } = this.options;
    while (!signal.aborted) {
      try {
        for await (const { object } of watch(client, { ...RUNTIMES, namespace }, { seconds: WATCH_SECONDS, signal })) {
          this.trouble = undefined;
          hear(object.metadata.name);
        }
        this.trouble = undefined;
      } catch (error) {
        if (signal.aborted) return;
        const why = messageOf(error);
        if (this.trouble !== why) log.warn({ namespace, why }, "Runtimes can't be watched; the service tries again");
        this.trouble = why;
        await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async followOperations(hear: (stack: string) => void, signal: AbortSignal): Promise<void> {
    const { listener, log } = this.options;
    while (!signal.aborted) {
      try {
        for await (const { deploymentId } of listener.changes({}, signal)) hear(deploymentId);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "the operations of Runtimes could not be followed");
      }
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

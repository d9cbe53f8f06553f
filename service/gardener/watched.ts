import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../kubernetes/client/client";
import { watch } from "../../kubernetes/client/watch";
import { GARDENER, progressOf } from "../../kubernetes/gardener/shoot";
import type { KubeObject } from "../../kubernetes/objects/objects";

/** Each watch begins with all Shoots, so nothing is wrong for longer than this. */
const WATCH_SECONDS = 60;
/** Pause after a watch that Gardener refused or broke; operations read their Shoots themselves then. */
const PAUSE_MS = 20_000;
/** The watch ends when nobody has asked for this long: longer than the pauses of an operation that waits. */
const IDLE_MS = 60_000;

export interface WatchedOptions {
  readonly client: Client;
  readonly namespace: string;
  /** Ends the watch, when the service stops. */
  readonly signal: AbortSignal;
  readonly pauseMs?: number;
  readonly idleMs?: number;
}

/**
 * Watches the Shoots of one project while operations wait for some of them. What it knows may be old: enough to wait
 * longer, and for nothing else.
 */
export class WatchedShoots {
  #shoots = new Map<string, KubeObject>();
  #askedAt = 0;
  #isRunning = false;

  constructor(private readonly options: WatchedOptions) {}

  /** The parts of a Shoot that show its progress; undefined if the watch does not know it, or not yet. */
  of(name: string): KubeObject | undefined {
    this.#askedAt = Date.now();
    if (!this.#isRunning && !this.options.signal.aborted) {
      this.#isRunning = true;
      void this.#follow().finally(() => (this.#isRunning = false));
    }
    return this.#shoots.get(name);
  }

  async #follow(): Promise<void> {
    const { idleMs = IDLE_MS, pauseMs = PAUSE_MS, signal: stop } = this.options;
    const idle = new AbortController();
    const signal = AbortSignal.any([stop, idle.signal]);
    const look = setInterval(() => Date.now() - this.#askedAt > idleMs && idle.abort(), idleMs / 4).unref();
    try {
      while (!signal.aborted) {
        // After a refusal, the reads of the operations themselves report what is wrong.
        const isOver = await this.#once(signal).then(
          () => true,
          () => false,
        );
        this.#shoots = new Map();
        if (!isOver) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    } finally {
      clearInterval(look);
    }
  }

  async #once(signal: AbortSignal): Promise<void> {
    const { client, namespace } = this.options;
    const all = { apiVersion: GARDENER, kind: "Shoot", namespace };
    for await (const { type, object } of watch(client, all, { seconds: WATCH_SECONDS, signal })) {
      if (type === "DELETED") this.#shoots.delete(object.metadata.name);
      else this.#shoots.set(object.metadata.name, progressOf(object));
    }
  }
}

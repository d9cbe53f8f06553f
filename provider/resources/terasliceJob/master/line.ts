/** The way to a master: how long an answer may take, what is tried again, and what is said where none comes. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, UnreachableError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import type { Sent, ServicePort } from "../../../../kubernetes/client/options";
import { delayBefore } from "../../../../kubernetes/client/retry";
import { isLate, isProxys, isRefusal, isStarting, isUncertain, objectOf } from "./answers";
import type { Json } from "../../../../foundation/json/isObject";

/** How long a request may be tried again whose first answer was lost. */
const PATIENCE_MS = 30_000;
/** A search engine shows what was stored after about a second. */
const REFRESH_MS = 1_500;
/** For what is only read. */
const READ_MS = 60_000;
/** For what makes a master look for the assets of a job: its own limit, unless its settings say another one. */
const WRITE_MS = 300_000;
/** The master is to be the one who says that it took too long. */
const MARGIN_MS = 10_000;
const LEAST_MS = 5_000;
/** A request that was cut off after this time may still be carried out. */
const LONG_MS = 5_000;

export interface Limits {
  /** Until when there must be an answer, as Date.now(). */
  readonly deadline?: number;
  /** How long the master itself allows an answer to take. */
  readonly responseMs?: number;
  /** Gets what a master says about a job that it takes; masters do from v3.15 on. */
  readonly warn?: (message: string) => void;
}

export class Line {
  constructor(
    private readonly client: Client,
    private readonly service: ServicePort,
    private readonly signal: AbortSignal,
    private readonly limits: Limits,
  ) {}

  /** Sends what is stored, again while its outcome is not known; `find` looks for it in between. */
  async store(action: string, sent: Sent, find: () => Promise<Json | undefined>): Promise<Json> {
    const started = Date.now();
    for (let attempt = 1; ; attempt++) {
      const sentAt = Date.now();
      try {
        return objectOf(await this.ask(action, sent, { patienceMs: 0, writes: true }));
      } catch (error) {
        if (!isUncertain(error)) throw error;
        const found = await this.#foundLater(find, Date.now() - sentAt);
        if (found) return found;
        if (isLate(error) || isRefusal(error)) throw error;
        const delay = delayBefore(error, attempt, Date.now() - started, PATIENCE_MS);
        if (delay === undefined) throw error;
        await sleep(delay, undefined, { signal: this.signal });
      }
    }
  }

  /** What a request made whose answer was lost: one that took long may still be in progress, for about as long again. */
  async #foundLater(find: () => Promise<Json | undefined>, tookMs: number): Promise<Json | undefined> {
    const until = Math.min(Date.now() + (tookMs > LONG_MS ? tookMs : 0), this.limits.deadline ?? Infinity);
    do {
      await sleep(REFRESH_MS, undefined, { signal: this.signal });
      const found = await find();
      if (found) return found;
    } while (Date.now() < until);
    return undefined;
  }

  /** The text of an answer that is a success. `writes`: the master may look for assets before it answers. */
  async ask(action: string, sent: Sent, { patienceMs = this.#patience(), writes = false } = {}): Promise<string> {
    const started = Date.now();
    const timeoutMs = this.#timeout(writes);
    for (let attempt = 1; ; attempt++) {
      const client = this.client.with({ signal: this.signal, patienceMs });
      try {
        const text = await client.ask(action, this.service, sent, timeoutMs);
        if (!isStarting(text)) return text;
        throw new ApiError(`could not ${action}: the master starts, and does nothing yet`, 503, "");
      } catch (error) {
        const isStart = error instanceof ApiError && /the master starts/.test(error.message);
        const delay = isStart ? delayBefore(error, attempt, Date.now() - started, this.#patience()) : undefined;
        if (delay === undefined) throw await this.#explained(action, error, timeoutMs);
        await sleep(delay, undefined, { signal: this.signal });
      }
    }
  }

  /** No more than half of the time that is left: what to do without an answer takes time too. */
  #patience(): number {
    const { deadline = Infinity } = this.limits;
    return Math.max(0, Math.min(PATIENCE_MS, (deadline - Date.now()) / 2));
  }

  #timeout(writes: boolean): number {
    const { deadline = Infinity, responseMs = WRITE_MS } = this.limits;
    return Math.max(LEAST_MS, Math.min(writes ? responseMs + MARGIN_MS : READ_MS, deadline - Date.now()));
  }

  /** An API server that does not reach the master says so in words that name neither the cause nor the cure. */
  async #explained(action: string, error: unknown, timeoutMs: number): Promise<unknown> {
    const { namespace, name } = this.service;
    if (isLate(error)) {
      const text =
        `could not ${action}: the Teraslice master ${namespace}/${name} did not answer within ${timeoutMs / 1000} seconds, ` +
        `and may still do it. See what it does: kubectl -n ${namespace} logs deployment/${name} --tail=50`;
      return new UnreachableError(text, true, true);
    }
    if (!(error instanceof ApiError) || !isProxys(error) || ![404, 503].includes(error.code)) return error;
    const isThere =
      error.code === 503 &&
      (await this.client.get({ apiVersion: "v1", kind: "Service", namespace, name })) !== undefined;
    const advice = isThere
      ? `no pod of the service ${namespace}/${name} answers. Does the master run? kubectl -n ${namespace} get pods. Where network ` +
        "policies are enforced, the addresses of the Kubernetes API server have to be among teraslice.networkPolicy.clientCidrs"
      : `there is no service ${namespace}/${name}`;
    return new ApiError(`${error.message}; ${advice}`, error.code, error.reason, error.causes, error.about);
  }
}

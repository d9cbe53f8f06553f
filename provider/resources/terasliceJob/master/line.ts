/** The connection to a master: time limits, retries, and errors. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, UnreachableError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import type { Sent, ServicePort } from "../../../../kubernetes/client/options";
import { delayBefore } from "../../../../kubernetes/client/retry";
import { isLate, isProxys, isRefusal, isStarting, isUncertain, objectOf } from "./answers";
import { plainWords } from "./words";
import type { Json } from "../../../../foundation/json/isObject";

/** How long to retry a request after a lost response. */
const PATIENCE_MS = 30_000;
/** The master's search engine shows a stored document after about a second. */
const REFRESH_MS = 1_500;
/** Time limit for reads. */
const READ_MS = 60_000;
/** Default time limit for requests that make a master resolve a job's assets: the master's own default. */
const WRITE_MS = 300_000;
/** Leaves time for the master to report its own timeout. */
const MARGIN_MS = 10_000;
const LEAST_MS = 5_000;
/** A request that timed out after this time may still be executed. */
const LONG_MS = 5_000;

export interface RequestLimits {
  /** Deadline for the response, in milliseconds since 1970. */
  readonly deadline?: number;
  /** The master's own time limit for a response. */
  readonly responseMs?: number;
  /** Receives the master's warnings about an accepted job; since v3.15. */
  readonly warn?: (message: string) => void;
}

export class Line {
  constructor(
    private readonly client: Client,
    private readonly service: ServicePort,
    private readonly signal: AbortSignal,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * Sends a document to store. Retries while the result is unknown, and looks for the document with `find` in between.
   */
  async store(action: string, sent: Sent, find: () => Promise<Json | undefined>): Promise<Json> {
    const started = Date.now();
    for (let attempt = 1; ; attempt++) {
      const sentAt = Date.now();
      try {
        return objectOf(await this.ask(action, sent, { patienceMs: 0, writes: true }));
      } catch (error) {
        if (!isUncertain(error)) throw error;
        // A master that refuses has ended with the request.
        const found = await this.#foundLater(find, isRefusal(error) ? 0 : Date.now() - sentAt);
        if (found) return found;
        if (isLate(error) || isRefusal(error)) throw error;
        const delay = delayBefore(error, attempt, Date.now() - started, PATIENCE_MS);
        if (delay === undefined) throw error;
        await sleep(delay, undefined, { signal: this.signal });
      }
    }
  }

  /**
   * Looks for the result of a request with a lost response. A slow request may still be in progress, so it waits about
   * as long again.
   */
  async #foundLater(find: () => Promise<Json | undefined>, tookMs: number): Promise<Json | undefined> {
    const until = Math.min(Date.now() + (tookMs > LONG_MS ? tookMs : 0), this.limits.deadline ?? Infinity);
    do {
      await sleep(REFRESH_MS, undefined, { signal: this.signal });
      const found = await find();
      if (found) return found;
    } while (Date.now() < until);
    return undefined;
  }

  /** Returns the body of a successful response. `writes`: the master may resolve assets before it responds. */
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

  /** Half of the remaining time at most, because handling a missing response takes time too. */
  #patience(): number {
    const { deadline = Infinity } = this.limits;
    return Math.max(0, Math.min(PATIENCE_MS, (deadline - Date.now()) / 2));
  }

  #timeout(writes: boolean): number {
    const { deadline = Infinity, responseMs = WRITE_MS } = this.limits;
    return Math.max(LEAST_MS, Math.min(writes ? responseMs + MARGIN_MS : READ_MS, deadline - Date.now()));
  }

  /** Explains the API server's error for an unreachable master, which names neither cause nor fix. */
  async #explained(action: string, error: unknown, timeoutMs: number): Promise<unknown> {
    const { namespace, name } = this.service;
    if (isLate(error)) {
      const text =
        `could not ${action}: the Teraslice master ${namespace}/${name} did not answer within ${timeoutMs / 1000} seconds, ` +
        `and may still do it. See what it does: kubectl -n ${namespace} logs deployment/${name} --tail=50`;
      return new UnreachableError(text, true, true);
    }
    if (!(error instanceof ApiError)) return error;
    if (!isProxys(error)) return inPlainWords(error);
    if (![404, 503].includes(error.code)) return error;
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

const inPlainWords = ({ message, code, reason, causes, about, retryAfterSeconds }: ApiError): ApiError =>
  new ApiError(plainWords(message), code, reason, causes, about, retryAfterSeconds);

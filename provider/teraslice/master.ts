/** The REST API of a Teraslice master, reached through the Kubernetes API server: who may reach that reaches it. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, UnreachableError } from "../kubernetes/apiError";
import type { Client, Sent, ServicePort } from "../kubernetes/client";
import type { Json } from "../kubernetes/objects";
import { isObject, textAt } from "../kubernetes/objects";
import { delayBefore } from "../kubernetes/retry";
import type { Execution } from "./execution";
import { OWNER_LABEL } from "./inputs";

const PAGE = 1_000;
/** How long a request may be tried again whose first answer was lost. */
const PATIENCE_MS = 30_000;
/** A search engine shows what was stored after about a second. */
const REFRESH_MS = 1_500;

export class Master {
  constructor(
    private readonly client: Client,
    private readonly service: ServicePort,
    private readonly signal: AbortSignal,
  ) {}

  /** The job; undefined when it is not there, or was deleted. */
  async job(id: string): Promise<Json | undefined> {
    const job = await this.#find(`read job ${id}`, `/v1/jobs/${encodeURIComponent(id)}`);
    return job?.["_deleted"] === true ? undefined : job;
  }

  /** Jobs of one owner, the oldest first. More than one only if an answer was lost that came late. */
  async owned(owner: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let from = 0; ; from += PAGE) {
      const text = await this.#ask("list jobs", { method: "GET", path: `/v1/jobs?size=${PAGE}&from=${from}` });
      const page = listOf(text);
      found.push(...page.filter((job) => job["_deleted"] !== true && textAt(job, "labels", OWNER_LABEL) === owner));
      if (page.length < PAGE) break;
    }
    return found.sort((a, b) => String(a["_created"]).localeCompare(String(b["_created"])));
  }

  /**
   * Stores a new job without starting it, and answers its id. A request whose answer is lost is looked for by its owner
   * before it is sent again, so that one job never becomes two.
   */
  async register(owner: string, job: Json): Promise<string> {
    const sent: Sent = { method: "POST", path: "/v1/jobs?start=false", body: JSON.stringify(job) };
    const first = await this.#store("register the job", sent, async () => {
      await sleep(REFRESH_MS, undefined, { signal: this.signal });
      return (await this.owned(owner))[0];
    });
    const id = textAt(first, "job_id");
    if (id === undefined) throw new Error("could not register the job: the master answered no job_id");
    return id;
  }

  /** Replaces a job as a whole; what runs keeps what it began with. */
  change(id: string, job: Json): Promise<Json> {
    const sent: Sent = { method: "PUT", path: `/v1/jobs/${encodeURIComponent(id)}`, body: JSON.stringify(job) };
    return this.#store(`change job ${id}`, sent, () => Promise.resolve(undefined));
  }

  /** The newest execution; undefined when it never ran. */
  execution(id: string): Promise<Execution | undefined> {
    return this.#find(`read the execution of job ${id}`, `/v1/jobs/${encodeURIComponent(id)}/ex`);
  }

  /** Begins a new execution. Answers false when one is under way already. */
  start(id: string): Promise<boolean> {
    return this.#command(`start job ${id}`, id, "_start", 409);
  }

  /** Begins to stop. Answers false when nothing runs. */
  stop(id: string, force = false): Promise<boolean> {
    return this.#command(`stop job ${id}`, id, `_stop?blocking=false${force ? "&force=true" : ""}`, 404);
  }

  /** Sets the number of workers of what runs. */
  async scale(id: string, workers: number): Promise<void> {
    await this.#command(`scale job ${id} to ${workers} workers`, id, `_workers?total=${workers}`);
  }

  /** Deletes a job that does not run. Fine when it is gone. */
  async remove(id: string): Promise<void> {
    try {
      await this.#ask(`delete job ${id}`, { method: "DELETE", path: `/v1/jobs/${encodeURIComponent(id)}` });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Stores an asset bundle; the master knows one that it has by its content. Answers its id. */
  async upload(path: string, zip: Uint8Array): Promise<string> {
    const sent: Sent = {
      method: "POST",
      path: "/v1/assets?blocking=true",
      body: zip,
      contentType: "application/octet-stream",
    };
    return textAt(objectOf(await this.#ask(`hand over the asset ${path}`, sent)), "_id") ?? "";
  }

  /** Sends what is stored, again while its outcome is not known; `find` looks for it in between. */
  async #store(action: string, sent: Sent, find: () => Promise<Json | undefined>): Promise<Json> {
    const started = Date.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return objectOf(await this.#ask(action, sent, 0));
      } catch (error) {
        // A master also answers 500 to a job that it does not take: once more is enough to tell.
        if (!isUncertain(error) || (error instanceof ApiError && error.code === 500 && attempt > 1)) throw error;
        const found = await find();
        if (found) return found;
        const delay = delayBefore(error, attempt, Date.now() - started, PATIENCE_MS);
        if (delay === undefined) throw error;
        await sleep(delay, undefined, { signal: this.signal });
      }
    }
  }

  async #command(action: string, id: string, command: string, fine?: number): Promise<boolean> {
    try {
      await this.#ask(action, { method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/${command}`, body: "" });
      return true;
    } catch (error) {
      if (error instanceof ApiError && !isProxys(error) && error.code === fine) return false;
      throw error;
    }
  }

  async #find(action: string, path: string): Promise<Json | undefined> {
    try {
      return objectOf(await this.#ask(action, { method: "GET", path }));
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  async #ask(action: string, sent: Sent, patienceMs = PATIENCE_MS): Promise<string> {
    const client = this.client.with({ signal: this.signal, patienceMs });
    try {
      return await client.ask(action, this.service, sent);
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** An API server that does not reach the master says so in words that name neither the cause nor the cure. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError) || !isProxys(error) || ![404, 503].includes(error.code)) return error;
    const { namespace, name } = this.service;
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

/** The answer is the API server's own, which did not reach a master: a master gives its errors no such reason. */
export const isProxys = (error: ApiError): boolean => error.reason !== "";

/** Nobody knows whether the request was carried out. */
const isUncertain = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.passing) || (error instanceof ApiError && error.code >= 500);

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && !isProxys(error) && (error.code === 404 || error.code === 410);

function objectOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected an object`);
  return value;
}

function listOf(text: string): Json[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected a list`);
  return value.filter(isObject);
}

/**
 * Client for the REST API of a Teraslice master, through the proxy of the Kubernetes API server: access to the cluster
 * is enough.
 */

import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import type { Sent, ServicePort } from "../../../../kubernetes/client/options";
import { at, listAt, textAt, without } from "../../../../kubernetes/objects/objects";
import { objectIn } from "../../../../foundation/json/isObject";
import { isGone, isProxys, parseList, objectOf } from "./answers";
import { assetIdOf, assetOf, machineOf } from "./assets";
import type { Asset, Machine } from "./assets";
import type { Execution } from "./execution";
import { OWNER_LABEL } from "../inputs";
import { Line, type RequestLimits } from "./line";
import type { Json } from "../../../../foundation/json/isObject";

const PAGE = 1_000;
/** The search engine's limit for one response. */
const ALL_ASSETS = 10_000;
export class Master {
  readonly #line: Line;
  readonly #warned = new Set<string>();

  constructor(
    client: Client,
    service: ServicePort,
    signal: AbortSignal,
    private readonly limits: RequestLimits = {},
  ) {
    this.#line = new Line(client, service, signal, limits);
  }

  /** Returns the job; undefined if it does not exist or was deleted. */
  async job(id: string): Promise<Json | undefined> {
    const job = await this.#find(`read job ${id}`, `/v1/jobs/${encodeURIComponent(id)}`);
    return job?.["_deleted"] === true ? undefined : job;
  }

  /** Returns the jobs of an owner, oldest first. Several only after a late duplicate of a request. */
  async owned(owner: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let from = 0; ; from += PAGE) {
      const text = await this.#line.ask("list jobs", { method: "GET", path: `/v1/jobs?size=${PAGE}&from=${from}` });
      const page = parseList(text);
      found.push(...page.filter((job) => job["_deleted"] !== true && textAt(job, "labels", OWNER_LABEL) === owner));
      if (page.length < PAGE) break;
    }
    return found.sort((a, b) => String(a["_created"]).localeCompare(String(b["_created"])));
  }

  /**
   * Stores a new job without starting it, and returns its id. After a lost response the job is looked up by its owner
   * before the request is repeated, so that it is never registered twice.
   */
  async register(owner: string, job: Json): Promise<string> {
    const sent: Sent = { method: "POST", path: "/v1/jobs?start=false", body: JSON.stringify(job) };
    const first = await this.#line.store("register the job", sent, async () =>
      (await this.owned(owner)).find((found) => isDeepStrictEqual(found["labels"], job["labels"])),
    );
    this.#withoutWarnings(first);
    const id = textAt(first, "job_id");
    if (id === undefined) throw new Error("could not register the job: the response of the master has no job_id");
    return id;
  }

  /** Replaces a job; a running execution keeps its copy. `before` is the previous job. */
  async change(id: string, job: Json, before: Json): Promise<Json> {
    const sent: Sent = { method: "PUT", path: `/v1/jobs/${encodeURIComponent(id)}`, body: JSON.stringify(job) };
    const changed = await this.#line.store(`change job ${id}`, sent, async () => {
      const now = await this.job(id);
      return now?.["_updated"] === before["_updated"] ? undefined : now;
    });
    return without(this.#withoutWarnings(changed), "warnings");
  }

  /** Returns the newest execution; undefined if the job never ran. */
  execution(id: string): Promise<Execution | undefined> {
    return this.#find(`read the execution of job ${id}`, `/v1/jobs/${encodeURIComponent(id)}/ex`);
  }

  /** Starts a new execution. Returns false if one is already in progress. */
  start(id: string): Promise<boolean> {
    return this.#command(`start job ${id}`, `jobs/${encodeURIComponent(id)}/_start`, 409);
  }

  /** Requests a stop. Returns false if the job never ran. */
  stop(id: string, force = false): Promise<boolean> {
    const how = `_stop?blocking=false${force ? "&force=true" : ""}`;
    return this.#command(`stop job ${id}`, `jobs/${encodeURIComponent(id)}/${how}`, 404);
  }

  /**
   * Force-deletes the objects of an execution in Kubernetes, even of one that has ended. Returns false if the execution
   * is unknown.
   */
  tidy(exId: string): Promise<boolean> {
    const path = `ex/${encodeURIComponent(exId)}/_stop?blocking=false&force=true`;
    return this.#command(`remove what is left of execution ${exId}`, path, 404);
  }

  /** Sets the number of workers of a running job. */
  async scale(id: string, workers: number): Promise<void> {
    const path = `jobs/${encodeURIComponent(id)}/_workers?total=${workers}`;
    await this.#command(`scale job ${id} to ${workers} workers`, path);
  }

  /** Deletes a stopped job. Succeeds if it does not exist. */
  async remove(id: string): Promise<void> {
    const sent: Sent = { method: "DELETE", path: `/v1/jobs/${encodeURIComponent(id)}` };
    await this.#delete(`delete job ${id}`, sent);
  }

  /** Returns all asset bundles of the master. */
  async assets(): Promise<Asset[]> {
    const text = await this.#line.ask("list assets", { method: "GET", path: `/v1/assets?size=${ALL_ASSETS}` });
    return parseList(text).map(assetOf);
  }

  /** Returns the master's platform. */
  async machine(): Promise<Machine> {
    return machineOf(objectOf(await this.#line.ask("ask the master what it is", { method: "GET", path: "/v1" })));
  }

  /** Uploads an asset bundle and returns its id. The master stores identical content once. */
  async upload(path: string, zip: Uint8Array): Promise<string> {
    const id = assetIdOf(zip);
    const isThere = async () => (await this.assets()).some((asset) => asset.id === id);
    if (await isThere()) return id;
    const sent: Sent = {
      method: "POST",
      path: "/v1/assets?blocking=true",
      body: zip,
      contentType: "application/octet-stream",
    };
    const found = await this.#line.store(`upload the asset ${path}`, sent, async () =>
      (await isThere()) ? { asset_id: id } : undefined,
    );
    return textAt(found, "asset_id") ?? textAt(found, "_id") ?? id;
  }

  /** Deletes an asset bundle. Succeeds if it does not exist. */
  async removeAsset(id: string): Promise<void> {
    await this.#delete(`delete the asset ${id}`, { method: "DELETE", path: `/v1/assets/${encodeURIComponent(id)}` });
  }

  /** Returns any other response of the API, for display. */
  async read(action: string, path: string): Promise<unknown> {
    return JSON.parse(await this.#line.ask(action, { method: "GET", path }));
  }

  /** Sends any other command for a job. */
  async command(action: string, id: string, command: string): Promise<Json> {
    const path = `/v1/jobs/${encodeURIComponent(id)}/${command}`;
    return this.#withoutWarnings(
      objectOf(await this.#line.ask(action, { method: "POST", path, body: "" }, { patienceMs: 0, writes: true })),
    );
  }

  /** Reports the warnings in a response, each only once: registering and starting a job both return them. */
  #withoutWarnings(answer: Json): Json {
    for (const warning of listAt(answer, "warnings")) {
      const text = JSON.stringify(warning);
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      const said = at(warning, "reason", "reason");
      const where = ["_op", "_name", "field"].flatMap((key) => textAt(said, key) ?? []).join(".");
      this.limits.warn?.([where, textAt(said, "description") ?? text].filter(Boolean).join(": "));
    }
    return answer;
  }

  async #command(action: string, path: string, fine?: number): Promise<boolean> {
    try {
      const text = await this.#line.ask(action, { method: "POST", path: `/v1/${path}`, body: "" }, { writes: true });
      this.#withoutWarnings(objectIn(text));
      return true;
    } catch (error) {
      if (error instanceof ApiError && !isProxys(error) && error.code === fine) return false;
      throw error;
    }
  }

  async #delete(action: string, sent: Sent): Promise<void> {
    try {
      await this.#line.ask(action, sent, { writes: true });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #find(action: string, path: string): Promise<Json | undefined> {
    try {
      return objectOf(await this.#line.ask(action, { method: "GET", path }));
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { MACHINE } from "./assets";
import { Executions, statistics } from "./executions";
import type { Pods } from "./pods";
import { Refusal, Store, type Doc } from "./store";

/** A failure of a request: a different response, or a connection that breaks before or after its execution. */
export interface Mishap {
  readonly status?: number;
  readonly message?: string;
  readonly cut?: "before" | "after";
  readonly delayMs?: number;
  /** A plain text response in place of an object. */
  readonly words?: string;
}

/**
 * A double of a Teraslice master. It copies v3.14.0 with the cluster manager kubernetesV2: the REST API for jobs,
 * executions and assets, with its statuses and errors. An execution keeps its initial `workers`; jobs are stored as
 * they were posted; it starts nothing while objects of an earlier execution remain; its objects are deleted with the
 * Job of the execution controller, or one by one when forced. With `pods`, executions have objects in a real cluster;
 * otherwise they run and stop at once.
 *
 * It omits: the tables below `/txt`, cluster state and settings at runtime, the checks of operations and connectors, S3
 * as a store of assets, and the delay until a search engine shows stored documents. Nothing is computed: errors, logs
 * and statistics are what a test sets.
 */
export class TerasliceMaster {
  readonly store = new Store();
  /** Called before each request, such as `POST /v1/jobs`. */
  mishap: (request: string) => Mishap | undefined = () => undefined;
  /** Requests so far, without their queries. */
  readonly requests: string[] = [];
  /** Duration of the process that resolves a job's assets: for each job that is registered, changed or started. */
  loaderMs = 0;
  /** False while the master starts: it then responds to every request with a success that says so. */
  available = true;
  /** Warnings about an accepted job, from v3.15 on; v3.14 has none. */
  warnings: Doc[] = [];
  /** Failed slices by execution. */
  readonly errors = new Map<string, Doc[]>();
  pods?: Pods;
  private readonly executions = new Executions(() => this.pods, this.errors);
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  async listen(port = 0, host = "127.0.0.1"): Promise<number> {
    await new Promise<void>((resolve, reject) => this.server.once("error", reject).listen(port, host, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Jobs that are not deleted. */
  jobs(): Doc[] {
    return this.store.list(0, 10_000);
  }

  /**
   * Simulates that the execution controller of a job dies while the master is away: the execution has ended, and its
   * objects remain.
   */
  abandon(id: string): void {
    Object.assign(this.store.latest(id) ?? {}, { _status: "failed", _failureReason: "the controller is gone" });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // Removes the path prefix, as an API server's proxy to a service does.
    const url = new URL((request.url ?? "").replace(/^.*\/proxy\//, "/"), "http://master");
    const name = `${request.method} ${url.pathname}`;
    this.requests.push(name);
    const { status: code, message = "out of order", cut, delayMs = 0, words } = this.mishap(name) ?? {};
    if (cut === "before") return void request.socket.destroy();
    await sleep(delayMs);
    const { status, body } =
      code === undefined
        ? await this.answer(name, url, Buffer.concat(chunks))
        : { status: code, body: { error: code, message } };
    if (words !== undefined) return void response.writeHead(200, { "content-type": "text/plain" }).end(words);
    if (cut === "after") return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body, undefined, 4));
  }

  private async answer(name: string, url: URL, body: Buffer): Promise<{ status: number; body: unknown }> {
    if (!this.available) return { status: 200, body: { error: "api is not available" } };
    try {
      const answer = await this.route(name, url, body);
      return { status: name === "POST /v1/assets" && (answer as Doc)["created"] ? 201 : 200, body: answer };
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 500;
      return { status: code, body: { error: code, message: error instanceof Error ? error.message : String(error) } };
    }
  }

  private async route(name: string, { searchParams: query }: URL, body: Buffer): Promise<unknown> {
    const json = (): unknown => JSON.parse(body.toString() || "null");
    const asset = /^(\w+) \/v1\/assets(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(name);
    if (asset) return this.ofAssets(asset[1] ?? "", asset[2], asset[3], body);
    if (name === "GET /v1") return { ...VERSION, clustering_type: "kubernetesV2", name: "teracluster" };
    if (name === "GET /v1/ex") {
      const statuses = query.get("status")?.split(",");
      const all = [...this.store.executions.values()];
      return all.filter((one) => statuses === undefined || statuses.includes(String(one["_status"])));
    }
    if (name === "GET /v1/cluster/controllers") {
      const running = [...this.store.executions.values()].filter((one) => one["_status"] === "running");
      return running.map(statistics);
    }
    const ofExecution = /^(\w+) \/v1\/ex\/([^/]+)(?:\/([^/]+))?$/.exec(name);
    if (ofExecution)
      return this.executions.answer(ofExecution[1] ?? "", this.execution(ofExecution[2]), ofExecution[3], query);
    const [, method = "", id = "", command = ""] = /^(\w+) \/v1\/jobs(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(name) ?? [];
    if (method === "POST" && id === "") {
      await this.load(json());
      const { job_id } = this.store.submit(json());
      return query.get("start") === "false" ? this.warned({ job_id }) : this.enqueue(this.store.begin(String(job_id)));
    }
    if (method === "GET" && id === "") {
      return this.store.list(Number(query.get("from") ?? 0), Number(query.get("size") ?? 100));
    }
    if (command === "_start") return this.start(id);
    if (command === "_recover") return this.recover(id, query.get("cleanup_type") ?? undefined);
    if (command === "" && method === "GET") return this.store.job(id);
    if (command === "" && method === "PUT") {
      await this.load(json());
      return this.warned(this.store.change(id, json()));
    }
    if (command === "" && method === "DELETE") return this.remove(id);
    if (method === "" || command === "") throw new Refusal(405, `cannot ${name}`);
    const latest = this.store.latest(id);
    if (!latest) throw new Refusal(404, `No execution was found for job ${id}`);
    return this.executions.answer(method, latest, command === "ex" ? undefined : command, query);
  }

  private warned(answer: Doc): Doc {
    return this.warnings.length === 0 ? answer : { ...answer, warnings: this.warnings };
  }

  private execution(id = ""): Doc {
    const found = this.store.executions.get(id);
    if (!found) throw new Refusal(404, `Not Found: execution ${id}`);
    return found;
  }

  private async ofAssets(method: string, name: string | undefined, version: string | undefined, body: Buffer) {
    const { assets } = this.store;
    if (method === "GET") return assets.list(name, version);
    if (method === "DELETE") {
      if (name?.length !== 40) throw new Refusal(400, `asset ${name} is not formatted correctly`);
      assets.remove(name);
      return { asset_id: name };
    }
    const { id, created } = await assets.save(body);
    return { asset_id: id, created };
  }

  /** Simulates the process that resolves assets; a job without assets needs none. */
  private async load(job: unknown): Promise<void> {
    const { assets } = (job ?? {}) as { assets?: unknown };
    if (Array.isArray(assets) && assets.length > 0) await sleep(this.loaderMs);
  }

  private async start(id: string): Promise<Doc> {
    if (this.store.live(id)) {
      throw new Refusal(409, `Job ${id} is currently running, cannot have the same job concurrently running`);
    }
    const left = (await this.pods?.left(id)) ?? [];
    if (left.length > 0) {
      throw new Refusal(500, `There are orphaned resources for job: ${id}, exId: ${left.join(", ")}.`);
    }
    await this.load(this.store.job(id));
    return this.enqueue(this.store.begin(id));
  }

  /** Like the real master, does not check whether the job is running. */
  private async recover(id: string, cleanup: string | undefined): Promise<Doc> {
    if (cleanup !== undefined && !["all", "errors", "pending"].includes(cleanup)) {
      throw new Refusal(400, "cleanup_type must be empty or set to all, errors, pending");
    }
    await this.load(this.store.job(id));
    const latest = this.store.latest(id);
    if (!latest) throw new Refusal(404, `Job ${id} is missing an execution to recover from`);
    const recovered = { recovered_execution: latest["ex_id"], ...(cleanup && { recovered_slice_type: cleanup }) };
    return this.enqueue(this.store.begin(id, recovered));
  }

  private enqueue(execution: Doc): Doc {
    void this.run(execution);
    return this.warned({ job_id: execution["job_id"], ex_id: execution["ex_id"] });
  }

  private async run(execution: Doc): Promise<void> {
    const id = String(execution["job_id"]);
    if (this.pods) {
      execution["_status"] = "initializing";
      await this.pods.make(execution);
      while (execution["_status"] === "initializing" && !(await this.pods.areReady(id))) await sleep(100);
      if (execution["_status"] !== "initializing") return;
    }
    execution["_status"] = "running";
  }

  /** Deletes a job, and force-deletes the objects of its executions. */
  private async remove(id: string): Promise<Doc> {
    if (this.store.live(id)) throw new Refusal(409, `Job ${id} is currently running, cannot delete a running job.`);
    for (const exId of (await this.pods?.left(id)) ?? []) await this.pods?.drop(exId, true);
    return this.store.remove(id);
  }
}

const VERSION = { ...MACHINE, node_version: `v${MACHINE.node_version}.0.0`, teraslice_version: "v3.14.0" };

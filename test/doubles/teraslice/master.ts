import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pods } from "./pods";
import { Refusal, Store, type Doc } from "./store";

/** What goes wrong with a request: an answer instead of the right one, or a connection cut before or after the work. */
export interface Mishap {
  readonly status?: number;
  readonly message?: string;
  readonly cut?: "before" | "after";
  readonly delayMs?: number;
}

/**
 * A double of a Teraslice master: the REST API for jobs as it is documented, errors included, over a store in memory.
 * With `pods`, executions have their objects in a real cluster; else they run at once and stop at once.
 */
export class TerasliceMaster {
  readonly store = new Store();
  /** Asked before each request, such as `POST /v1/jobs`. */
  mishap: (request: string) => Mishap | undefined = () => undefined;
  /** Requests so far, without their queries. */
  readonly requests: string[] = [];
  pods?: Pods;
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

  /** Jobs that were not deleted. */
  jobs(): Doc[] {
    return this.store.list(0, 10_000);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // What an API server's proxy to a service would take off.
    const url = new URL((request.url ?? "").replace(/^.*\/proxy\//, "/"), "http://master");
    const name = `${request.method} ${url.pathname}`;
    this.requests.push(name);
    const { status: code, message = "out of order", cut, delayMs = 0 } = this.mishap(name) ?? {};
    if (cut === "before") return void request.socket.destroy();
    await sleep(delayMs);
    const { status, body } =
      code === undefined
        ? await this.answer(name, url, Buffer.concat(chunks))
        : { status: code, body: { error: code, message } };
    if (cut === "after") return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  private async answer(name: string, url: URL, body: Buffer): Promise<{ status: number; body: unknown }> {
    try {
      return { status: 200, body: await this.route(name, url, body) };
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 500;
      return { status: code, body: { error: code, message: error instanceof Error ? error.message : String(error) } };
    }
  }

  private async route(name: string, { searchParams }: URL, body: Buffer): Promise<unknown> {
    const [, method = "", id = "", command = ""] = /^(\w+) \/v1\/jobs(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(name) ?? [];
    const json = (): unknown => JSON.parse(body.toString() || "null");
    if (name === "POST /v1/assets") return { _id: this.store.asset(body) };
    if (method === "POST" && id === "") {
      const { job_id } = this.store.submit(json());
      return searchParams.get("start") === "false" ? { job_id } : this.start(String(job_id));
    }
    if (method === "GET" && id === "") {
      return this.store.list(Number(searchParams.get("from") ?? 0), Number(searchParams.get("size") ?? 100));
    }
    if (command === "ex" && method === "GET") {
      const latest = this.store.latest(id);
      if (!latest) throw new Refusal(404, `no execution was found for job ${id}`);
      return latest;
    }
    if (command === "_start") return this.start(id);
    if (command === "_stop") return this.halt(id);
    if (command === "_workers") return this.scale(id, Number(searchParams.get("total")));
    if (command === "" && method === "GET") return this.store.job(id);
    if (command === "" && method === "PUT") return this.store.change(id, json());
    if (command === "" && method === "DELETE") return this.store.remove(id);
    throw new Refusal(404, `cannot ${name}`);
  }

  private async start(id: string): Promise<Doc> {
    if (!this.store.live(id) && (await this.pods?.any(id))) {
      throw new Refusal(500, `job ${id} has orphaned resources, wait until they are gone`);
    }
    const execution = this.store.begin(id);
    void this.run(execution);
    return { job_id: id, ex_id: execution["ex_id"] };
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

  private async halt(id: string): Promise<Doc> {
    const execution = this.store.live(id);
    if (!execution) throw new Refusal(404, `no active execution was found for job ${id}`);
    execution["_status"] = "stopping";
    await this.pods?.drop(id);
    execution["_status"] = "stopped";
    return { status: "stopped" };
  }

  private async scale(id: string, total: number): Promise<string> {
    const execution = this.store.live(id);
    if (!execution) throw new Refusal(404, `no active execution was found for job ${id}`);
    if (!(total > 0)) throw new Refusal(400, "workers must be above 0");
    execution["workers"] = total;
    await this.pods?.scale(id, total);
    return `${total} workers have been set for execution: ${String(execution["ex_id"])}`;
  }
}

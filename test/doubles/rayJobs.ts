import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Submitted {
  readonly submission_id: string;
  readonly entrypoint: string;
  readonly runtime_env: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface DoubledJob extends Submitted {
  status: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "STOPPED";
  message: string;
  logs: string;
}

/**
 * A double of the jobs API of Ray 2.60.0 behind the proxy of a Kubernetes API server, which also has the UID of the
 * cluster and the Secret with the token. It refuses a second job with the same id, a wrong token, a folder that nobody
 * uploaded, and the deletion of a job that runs. `react` decides what a job does as soon as it is submitted.
 */
export class RayJobsDouble {
  readonly jobs: DoubledJob[] = [];
  readonly packages = new Map<string, Buffer>();
  readonly requests: string[] = [];
  token: string | undefined = "secret-token";
  /** The head does not answer, as its pods are not ready. */
  isSilent = false;
  /** The Service of the head does not exist. */
  isGone = false;
  react: (job: DoubledJob) => void = (job) => (job.status = "SUCCEEDED");
  /** Called before each request, such as `POST /api/jobs/`. `cut`: the connection breaks after its execution. */
  mishap: (request: string) => "cut" | undefined = () => undefined;
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  /** Returns its port. */
  async start(host: string): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  /** Returns a kubeconfig for it. */
  async listen(): Promise<string> {
    const port = await this.start("127.0.0.1");
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "double",
      clusters: [{ name: "double", cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: "double", context: { cluster: "double", user: "" } }],
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  job(id: string): DoubledJob | undefined {
    return this.jobs.find(({ submission_id }) => submission_id === id);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "", "http://double");
    const { method = "GET" } = request;
    const path = pathname.replace(/^\/api\/v1\/namespaces\/ray\/services\/http:one-ray-head-svc:8265\/proxy/, "");
    const answer = (code: number, body: unknown): void => {
      if (this.mishap(`${method} ${path}`) === "cut") return void request.socket.destroy();
      response.writeHead(code, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    if (!/^\/api\/(jobs|packages)\//.test(path)) return this.kubernetes(path, answer);
    this.requests.push(`${method} ${path}`);
    const status = (code: number, reason: string) => answer(code, { kind: "Status", code, reason, message: reason });
    if (this.isGone) return status(404, "NotFound");
    if (this.isSilent) return status(503, "ServiceUnavailable");
    if (this.token !== undefined && request.headers["x-ray-authorization"] !== `Bearer ${this.token}`) {
      return answer(401, "Unauthorized: Missing authentication token");
    }
    if (path.startsWith("/api/packages/gcs/")) return this.package(method, path, Buffer.concat(chunks), answer);
    if (method === "POST" && path === "/api/jobs/") return this.submit(Buffer.concat(chunks).toString(), answer);
    if (path === "/api/jobs/")
      return answer(
        200,
        this.jobs.map((job) => ({ type: "SUBMISSION", job_id: null, ...job })),
      );
    this.one(method, path, answer);
  }

  private kubernetes(path: string, answer: (code: number, body: unknown) => void): void {
    const metadata = (name: string) => ({ name, namespace: "ray", uid: "uid-of-the-cluster" });
    const object = (kind: string, more: object = {}) => ({ apiVersion: "v1", kind, metadata: metadata(kind), ...more });
    if (path.endsWith("/namespaces/kube-system")) return answer(200, object("Namespace"));
    if (path.endsWith("/secrets/one-ray-token") && this.token !== undefined) {
      return answer(200, object("Secret", { data: { auth_token: Buffer.from(this.token).toString("base64") } }));
    }
    if (path.endsWith("/services/one-ray-head-svc") && !this.isGone) {
      return answer(200, object("Service", { spec: { selector: { head: "yes" } } }));
    }
    if (path.endsWith("/pods")) return answer(200, { apiVersion: "v1", kind: "PodList", metadata: {}, items: [] });
    answer(404, { kind: "Status", code: 404, reason: "NotFound", message: `${path} not found` });
  }

  private package(method: string, path: string, body: Buffer, answer: (code: number, body: unknown) => void): void {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (method === "PUT") this.packages.set(`gcs://${name}`, body);
    if (this.packages.has(`gcs://${name}`)) answer(200, "");
    else answer(404, `Package gcs://${name} does not exist`);
  }

  private submit(body: string, answer: (code: number, body: unknown) => void): void {
    const wanted = JSON.parse(body) as Submitted;
    const { submission_id: id, runtime_env: env } = wanted;
    if (this.job(id)) return answer(500, `ValueError: Job with submission_id ${id} already exists.`);
    const uri = env["working_dir"];
    if (typeof uri === "string" && uri.startsWith("gcs:") && !this.packages.has(uri)) {
      return answer(500, `the package ${uri} does not exist`);
    }
    const job: DoubledJob = { ...wanted, metadata: wanted.metadata ?? {}, status: "PENDING", message: "", logs: "" };
    this.jobs.push(job);
    this.react(job);
    answer(200, { job_id: id, submission_id: id });
  }

  private one(method: string, path: string, answer: (code: number, body: unknown) => void): void {
    const [, id = "", what = ""] = /^\/api\/jobs\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    const job = this.job(decodeURIComponent(id));
    if (!job) return answer(404, `Job ${id} does not exist`);
    const isOver = !["PENDING", "RUNNING"].includes(job.status);
    if (method === "DELETE" && !isOver) return answer(500, `RuntimeError: the job ${id} is ${job.status}`);
    if (method === "DELETE") this.jobs.splice(this.jobs.indexOf(job), 1);
    if (what === "stop" && !isOver) job.status = "STOPPED";
    if (what === "logs") return answer(200, { logs: job.logs });
    answer(200, job);
  }
}

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const SHOOTS = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots";
const KINDS: Readonly<Record<string, object>> = {
  "/api/v1": { resources: [{ name: "namespaces", kind: "Namespace", namespaced: false }] },
  "/apis/core.gardener.cloud/v1beta1": { resources: [{ name: "shoots", kind: "Shoot", namespaced: true }] },
};

/** The API server of a garden with the project `dev`: a memory of Shoots, and nobody who works on them. */
export class Garden {
  readonly shoots = new Map<string, KubeObject>();
  readonly asked: string[] = [];
  /** Of the project's namespace; undefined: there is no such project. */
  projectUid: string | undefined = "project-1";
  /** Whether the user may read the project's namespace. */
  mayReadProject = true;
  /** The token that is accepted. */
  token = "good";
  /** What happens to a Shoot that is deleted. Default: it is gone. */
  onDelete: (name: string) => void = (name) => this.shoots.delete(name);
  /** What becomes of a Shoot whose spec is changed. Default: nothing more. */
  onChange: (shoot: KubeObject) => KubeObject = (shoot) => shoot;
  private server: Server | undefined;
  private url = "";

  async start(): Promise<this> {
    const server = (this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const [code, body] = this.answer(request, Buffer.concat(chunks).toString());
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  /** By another name of the same address where it is given. */
  kubeconfig(token = this.token, host = "127.0.0.1"): string {
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "garden",
      contexts: [{ name: "garden", context: { cluster: "garden", user: "robot" } }],
      clusters: [{ name: "garden", cluster: { server: this.url.replace("127.0.0.1", host) } }],
      users: [{ name: "robot", user: { token } }],
    });
  }

  /** A Shoot that is there, with these annotations. */
  add(name: string, annotations: Record<string, string>, more: object = {}): KubeObject {
    const metadata = { name, namespace: "garden-dev", uid: `uid-${name}`, generation: 1, annotations };
    const shoot = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata, spec: {}, ...more };
    this.shoots.set(name, shoot);
    return shoot;
  }

  private answer({ method = "", url = "", headers }: IncomingMessage, body: string): [number, object] {
    const { pathname } = new URL(url, this.url);
    if (headers.authorization !== `Bearer ${this.token}`) return [401, failure("Unauthorized", "who are you?")];
    if (KINDS[pathname]) return [200, KINDS[pathname]];
    this.asked.push(`${method} ${pathname}`);
    if (pathname === "/api/v1/namespaces/garden-dev" && this.projectUid !== undefined) {
      if (!this.mayReadProject) return [403, failure("Forbidden", "namespaces is forbidden")];
      return [200, { metadata: { name: "garden-dev", uid: this.projectUid } }];
    }
    if (pathname === SHOOTS) return [200, { items: [...this.shoots.values()] }];
    const [, shootName = "", role] = /\/shoots\/([^/]+)\/(admin|viewer)kubeconfig$/.exec(pathname) ?? [];
    if (role !== undefined && this.shoots.has(shootName)) return [201, issued(role, body)];
    const name = pathname.startsWith(`${SHOOTS}/`) ? pathname.slice(SHOOTS.length + 1) : "";
    const shoot = this.shoots.get(name);
    if (shoot === undefined) return [404, failure("NotFound", `no ${pathname}`)];
    if (method === "PATCH") {
      const { metadata, spec } = JSON.parse(body) as Partial<KubeObject> & { readonly spec?: object };
      const annotations = { ...shoot.metadata.annotations, ...metadata?.annotations };
      const merged = { ...shoot, metadata: { ...shoot.metadata, annotations } };
      const changed = { ...merged, spec: { ...(shoot["spec"] as object), ...spec } };
      this.shoots.set(name, spec ? this.onChange(changed) : merged);
    }
    if (method === "DELETE") this.onDelete(name);
    return [200, this.shoots.get(name) ?? shoot];
  }
}

/** Says who it is for and how long it is valid. */
function issued(role: string, body: string): object {
  const { spec } = JSON.parse(body) as { readonly spec: { readonly expirationSeconds: number } };
  const kubeconfig = Buffer.from(`${role} for ${spec.expirationSeconds} s`).toString("base64");
  return { status: { kubeconfig, expirationTimestamp: "2026-01-01T01:00:00Z" } };
}

const failure = (reason: string, message: string) => ({ kind: "Status", reason, message });

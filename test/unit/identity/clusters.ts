/** API servers of no cluster, each of which says which cluster it is and which ConfigMaps that has. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const KINDS = { resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["list"] }] };

export interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export class FakeCluster {
  /** Of requests that were asked. */
  readonly asked: string[] = [];
  url = "";
  private readonly server: Server;

  /** `uid`: undefined where it may not be read. `objects`: metadata of ConfigMaps by name. */
  constructor(
    private readonly uid: string | undefined,
    private readonly objects: Readonly<Record<string, Metadata>> = {},
  ) {
    this.server = createServer((request, response) => {
      const url = request.url ?? "";
      this.asked.push(url);
      const [code, body] = this.answer(url);
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }

  private answer(url: string): [number, object] {
    if (url === "/api/v1") return [200, KINDS];
    if (url === "/api/v1/namespaces/kube-system") {
      return this.uid === undefined
        ? [403, { kind: "Status", reason: "Forbidden", message: "no" }]
        : [200, { metadata: { name: "kube-system", uid: this.uid } }];
    }
    const name = /\/configmaps\/(\w+)$/.exec(url)?.[1] ?? "";
    const metadata = this.objects[name];
    if (metadata === undefined) return [404, { kind: "Status", reason: "NotFound", message: "not there" }];
    return [200, { metadata: { name, namespace: "ns", ...metadata } }];
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** The way there, at an address of choice. */
  way(host = "127.0.0.1"): { readonly kubeconfig: string; readonly cluster: string } {
    return wayTo(this.url.replace("127.0.0.1", host));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export function wayTo(server: string): { readonly kubeconfig: string; readonly cluster: string } {
  const kubeconfig = JSON.stringify({
    "current-context": "one",
    contexts: [{ name: "one", context: { cluster: "one" } }],
    clusters: [{ name: "one", cluster: { server } }],
  });
  return { kubeconfig, cluster: server };
}

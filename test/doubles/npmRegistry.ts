/** An npm registry, as far as npm 10 publishes to one and installs from it; what it does not have is that of npm itself. */

import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Publication {
  readonly name: string;
  readonly versions: Readonly<Record<string, { readonly dist: { tarball: string } }>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

export class NpmRegistry {
  readonly #packages = new Map<string, Publication>();
  readonly #server: http.Server;

  private constructor(upstream: string) {
    this.#server = http.createServer((request, response) => {
      void this.#answer(request, response, upstream).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(upstream: string): Promise<NpmRegistry> {
    const registry = new NpmRegistry(upstream.replace(/\/*$/, "/"));
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Settings of npm that make it use this registry, for a file `.npmrc`. */
  get settings(): string {
    return `registry=${this.url}\n${this.url.replace("http:", "")}:_authToken=x\naudit=false\nfund=false\nupdate-notifier=false\n`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse, upstream: string): Promise<void> {
    const [name = "", , file] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/");
    if (request.method === "PUT") {
      const published = (await json(request)) as Publication;
      for (const { dist } of Object.values(published.versions)) {
        dist.tarball = `${this.url}${name}/-/${dist.tarball.split("/").pop() ?? ""}`;
      }
      this.#packages.set(name, published);
      response.writeHead(201).end("{}");
      return;
    }
    const own = this.#packages.get(name);
    if (own === undefined) {
      response.writeHead(302, { location: upstream + (request.url ?? "").slice(1) }).end();
      return;
    }
    const { _attachments: attachments, ...packument } = own;
    const content =
      file === undefined ? JSON.stringify(packument) : Buffer.from(attachments[file]?.data ?? "", "base64");
    response.end(content);
  }
}

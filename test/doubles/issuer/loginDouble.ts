import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Answer } from "./codeFlow";

/** An issuer as a server. */
export abstract class LoginDouble {
  /** Methods and paths, in order. */
  readonly requests: string[] = [];
  /** Whether it answers nothing but errors. */
  isDown = false;
  /** Who logs in next. */
  next = "";
  private readonly server = createServer((request, response) => {
    void this.respond(request).then(({ status, body, headers }) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? "" : JSON.stringify(body));
    });
  });

  protected abstract answer(path: string, url: URL, form: URLSearchParams, authorization: string | undefined): Answer;

  /** `host`: address of this machine at which it is reached. */
  async start(host = "127.0.0.1"): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return this;
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? "", this.url);
    const called = `${request.method} ${url.pathname}`;
    this.requests.push(called);
    if (this.isDown) return { status: 503 };
    return this.answer(called, url, new URLSearchParams(await text(request)), request.headers.authorization);
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A double of AWS' APIs on a free port of this machine. */
export abstract class LocalService {
  private server: Server | undefined;

  protected abstract respond(request: IncomingMessage, body: Buffer, response: ServerResponse): void;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.respond(request, Buffer.concat(chunks), response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.server = server;
    return this;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  protected get address(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }
}

/** The text of an answer: XML as it is, other values as JSON. */
export const textOfAnswer = (answer: unknown): string => (typeof answer === "string" ? answer : JSON.stringify(answer));

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError } from "../../../kubernetes/client/apiError";
import { Client } from "../../../kubernetes/client/client";
import { ServerConnection } from "../../../kubernetes/client/connection";
import { watch } from "../../../kubernetes/client/watch";

const CONFIG_MAPS = { apiVersion: "v1", kind: "ConfigMap", namespace: "ns" };
const line = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } })}\n`;

describe("a watch", () => {
  let server: Server;
  let client: Client;
  let asked: string[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client = new Client(new ServerConnection({ server: url, tls: {}, credentials: { kind: "none" } }));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function heard(signal = new AbortController().signal, seconds = 5): Promise<string[]> {
    const found: string[] = [];
    for await (const { type, object } of watch(client, CONFIG_MAPS, { seconds, signal })) {
      found.push(`${type} ${object.metadata.name}`);
    }
    return found;
  }

  it("yields each event of a namespace, however the response is split, until the server ends it", async () => {
    answer = (_request, response) => {
      const text = Buffer.from(line("ADDED", "a") + line("MODIFIED", "ü") + line("DELETED", "a"));
      // In the middle of a character.
      const middle = text.indexOf(Buffer.from("ü")) + 1;
      response.writeHead(200).write(text.subarray(0, middle));
      setTimeout(() => response.end(text.subarray(middle)), 20);
    };
    assert.deepEqual(await heard(), ["ADDED a", "MODIFIED ü", "DELETED a"]);
    assert.deepEqual(asked, ["/api/v1/namespaces/ns/configmaps?watch=true&timeoutSeconds=5"]);
  });

  it("throws the error of the server, at its begin and later", async () => {
    const status = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
    answer = (_request, response) => {
      response.writeHead(200).end(`${line("ADDED", "a")}${JSON.stringify({ type: "ERROR", object: status })}\n`);
    };
    await assert.rejects(heard(), (error) => error instanceof ApiError && error.code === 410);
    answer = (_request, response) =>
      response.writeHead(403).end(JSON.stringify({ ...status, code: 403, message: "no" }));
    await assert.rejects(heard(), (error) => error instanceof ApiError && error.code === 403);
  });

  it("ends when it is aborted", async () => {
    answer = (_request, response) => void response.writeHead(200).write(line("ADDED", "a"));
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("stopped")), 30);
    await assert.rejects(heard(abort.signal), /aborted|stopped/);
  });
});

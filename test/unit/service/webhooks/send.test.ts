import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { mock } from "node:test";
import { send } from "../../../../service/webhooks/send";
import { isSigned } from "../../../tools/isSigned";
import { temporaryFolder } from "../../bundles/samples";
import { redirect, selfSigned, serve, type Pages } from "../../bundles/server";

const MESSAGE = { body: { type: "operation.ended", text: "ä\n" }, headers: { "stackyard-operation": "17" } };
const sent = (url: string, patienceMs = 10_000) => send({ url, secret: "key", patienceMs }, MESSAGE);

/** Speaks to each connection as it likes. */
async function rawServer(answer: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const server = createPlainServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

describe("a message to a receiver", () => {
  const folder = temporaryFolder();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
    mock.restoreAll();
  });
  const site = async (pages: Pages, tls?: { key: string; cert: string }) => {
    const found = await serve(pages, tls);
    closing.push(() => found.close());
    return found;
  };
  const raw = async (answer: (socket: Socket) => void): Promise<string> => {
    const { url, server } = await rawServer(answer);
    closing.push(() => server.close());
    return url;
  };

  it("is accepted with status 200 to 299, and has the signature of the sent bytes", async () => {
    const bodies: string[] = [];
    const pages = Object.fromEntries(
      [200, 202, 204, 299, 300, 404, 503].map((status) => [
        `/${status}`,
        ((request, response) => {
          request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
          request.on("end", () => response.writeHead(status).end());
        }) satisfies Pages[string],
      ]),
    );
    const { url, asked } = await site(pages);
    for (const status of [200, 202, 204, 299]) assert.equal(await sent(`${url}/${status}`), undefined);
    assert.equal(await sent(`${url}/404`), "the receiver answered 404");
    assert.equal(await sent(`${url}/503`), "the receiver answered 503");
    for (const [at, { headers }] of asked.entries()) {
      const body = bodies[at] ?? "";
      assert.deepEqual(JSON.parse(body), MESSAGE.body);
      assert.ok(isSigned(String(headers["stackyard-signature"]), body, "key", Date.now() / 1000));
      assert.deepEqual([headers["stackyard-operation"], headers["content-type"]], ["17", "application/json"]);
    }
  });

  it("follows no redirect", async () => {
    const other = await site({ "/": "ok" });
    const pages = Object.fromEntries(
      [301, 302, 303, 307, 308].map((status) => [`/${status}`, redirect(`${other.url}/`, status)]),
    );
    const { url } = await site({ ...pages, "/link": redirect("http://169.254.169.254/latest") });
    for (const status of [301, 302, 303, 307, 308]) {
      assert.equal(await sent(`${url}/${status}`), `the receiver answered ${status}, which is not followed`);
    }
    assert.equal(await sent(`${url}/link`), "the receiver answered 302, which is not followed");
    assert.deepEqual(other.asked, []);
  });

  it("times out if the receiver does not finish the response headers", async () => {
    const url = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("x"), 5);
      socket.on("close", () => clearInterval(drip));
    });
    assert.equal(await sent(url, 200), "the receiver did not answer within 0.2 seconds");
  });

  it("does not wait for the response body", async () => {
    let open = 0;
    const url = await raw((socket) => {
      open += 1;
      socket.on("close", () => (open -= 1));
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const flood = (): void => void (socket.writable && socket.write(`400\r\n${"x".repeat(1024)}\r\n`, flood));
      flood();
    });
    assert.equal(await sent(url), undefined);
    while (open > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it("fails if the receiver closes the connection or does not speak HTTP", async () => {
    const closes = await raw((socket) => socket.destroy());
    assert.equal(await sent(closes), `${closes.slice(0, -1)} can't be reached: the connection was cut`);
    const speaks = await raw((socket) => socket.end("220 mail.example.com ESMTP\r\n"));
    assert.match((await sent(speaks)) ?? "", /can't be reached: Parse Error: Expected HTTP/);
  });

  it("is not sent to a receiver with a self-signed certificate", async () => {
    const { url, asked } = await site({ "/": "ok" }, selfSigned(folder()));
    assert.match((await sent(`${url}/`)) ?? "", /^https:.*:\d+ can't be reached: self-signed certificate/);
    assert.deepEqual(asked, []);
  });

  it("is not sent to a local or link-local address under another name", async () => {
    const { url, asked } = await site({ "/": "ok" });
    const { port } = new URL(url);
    const addresses = [
      "127.0.0.1",
      "::1",
      "::ffff:127.0.0.1",
      "169.254.169.254",
      "fe80::1",
      "fd00:ec2::254",
      "0.0.0.0",
    ];
    for (const address of addresses) {
      mock.method(dns, "lookup", (_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
        callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]),
      );
      const failure = await sent(`http://hooks.example.com:${port}/`);
      assert.match(
        failure ?? "",
        new RegExp(`^hooks\\.example\\.com, which is ${address}, is .*; expected an address`),
      );
      mock.restoreAll();
    }
    assert.deepEqual(asked, []);
    assert.equal(await sent(`http://localhost:${port}/`), undefined);
  });

  it("fails with an error that does not contain the receiver's path", async () => {
    const closes = await raw((socket) => socket.destroy());
    assert.doesNotMatch((await sent(`${closes}services/hidden?token=hidden`)) ?? "", /hidden/);
  });
});

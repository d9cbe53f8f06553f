import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "node:http";
import { getIntrospectionQuery } from "graphql";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { cachedHealth, healthOf } from "../../../../service/http/health";
import { closeWithin, listen } from "../../../../service/http/listen";
import { createLog } from "../../../../service/http/logs";
import { createMetrics } from "../../../../service/http/metrics";
import { errorOf, TOKENS, type Answer } from "../api/client";
import { fakeBackend, OPERATIONS } from "../api/fakeBackend";
import { startServer } from "../page/browser";

describe("the service's server", () => {
  let backend: ReturnType<typeof fakeBackend>;
  let server: Awaited<ReturnType<typeof startServer>>;

  beforeEach(async () => {
    backend = fakeBackend();
    server = await startServer(backend, 2048);
  });
  afterEach(() => server.stop());

  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKENS.operator}`, ...headers },
      body,
    });

  it("answers queries by POST and by GET, and rejects mutations by GET", async () => {
    const query = "{ me { actor } }";
    assert.equal((await post(JSON.stringify({ query }))).status, 200);
    const get = (text: string) =>
      fetch(`${server.url}/graphql?query=${encodeURIComponent(text)}`, {
        headers: { authorization: `Bearer ${TOKENS.operator}`, accept: "application/json" },
      });
    assert.match(await (await get(query)).text(), /static-token-2/);
    assert.equal((await get('mutation { wakeDeployment(id: "acme-1") { operation { id } } }')).status, 405);
    assert.deepEqual(backend.asked, []);
  });

  it("rejects a body that is too large, with and without Content-Length", async () => {
    const large = JSON.stringify({ query: `{ me { actor } } # ${"x".repeat(4000)}` });
    const answer = await post(large);
    assert.equal(answer.status, 413);
    assert.equal(errorOf((await answer.json()) as Answer).code, "TOO_LARGE");
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKENS.viewer}` };
      const options = { method: "POST", headers };
      const chunked = request(`${server.url}/graphql`, options, (response) => resolve(response.statusCode));
      chunked.on("error", reject);
      chunked.write(large.slice(0, 3000));
      chunked.end(large.slice(3000));
    });
    assert.equal(status, 413);
  });

  it("answers a proxy that sends the whole body, though too large, before it reads", async () => {
    const size = 400_000;
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    let text = "";
    const ended = new Promise<string>((resolve) => {
      socket.on("error", ({ message }) => resolve(message)).on("close", () => resolve(text));
    });
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKENS.operator}\r\ncontent-length: ${size}\r\n\r\n`;
    socket.pause().write(head);
    for (let sent = 0; sent < size && !socket.destroyed; sent += 40_000) {
      socket.write("x".repeat(40_000));
      await sleep(10);
    }
    socket.resume();
    assert.match(await ended, /^HTTP\/1\.1 413 /);
  });

  it("keeps idle connections for longer than proxies do", async () => {
    const answer = await post(JSON.stringify({ query: "{ me { actor } }" }));
    assert.equal(answer.headers.get("keep-alive"), "timeout=75");
  });

  it("rejects a request without a token before its body arrives, and sends Retry-After", async () => {
    const rate = new RateLimiterMemory({ points: 1, duration: 60 });
    const limited = await startServer(backend, 2048, { rate });
    const begin = (): Promise<[number | undefined, string | undefined]> =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": 1000 };
        const half = request(`${limited.url}/graphql`, { method: "POST", headers }, ({ statusCode, headers: said }) => {
          resolve([statusCode, said["retry-after"]]);
          half.destroy();
        });
        half.on("error", reject);
        half.write('{"query": "');
      });
    assert.deepEqual(await begin(), [401, undefined]);
    const [status, after] = await begin();
    assert.equal(status, 429);
    assert.ok(Number(after) > 0 && Number(after) <= 60, after);
    await limited.stop();
  });

  it("records and limits callers behind a trusted proxy by their own address", async () => {
    const rate = new RateLimiterMemory({ points: 1, duration: 60 });
    const limited = await startServer(backend, 2048, { rate });
    const ask = async (forwarded: string, token?: string): Promise<number> => {
      const headers = { "content-type": "application/json", "x-forwarded-for": forwarded };
      const query = 'mutation { wakeDeployment(id: "acme-1") { operation { id } } }';
      const authorized = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const body = JSON.stringify({ query });
      return (await fetch(`${limited.url}/graphql`, { method: "POST", headers: authorized, body })).status;
    };
    assert.deepEqual([await ask("198.51.100.1"), await ask("6.6.6.6, 198.51.100.1")], [401, 429]);
    assert.equal(await ask("198.51.100.2"), 401);
    assert.equal(await ask("198.51.100.3", TOKENS.operator), 200);
    assert.equal(backend.asked[0]?.caller.address, "198.51.100.3");
    await limited.stop();
  });

  it("accepts no more than an introspection query without a token", async () => {
    const open = await startServer(backend, 64 * 1024, { publicSchema: true });
    const ask = (query: string) =>
      fetch(`${open.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
    assert.equal((await ask(getIntrospectionQuery())).status, 200);
    assert.equal((await ask(`{ __typename } # ${"x".repeat(5000)}`)).status, 413);
    const get = await fetch(`${open.url}/graphql?query=${"x".repeat(5000)}`);
    assert.equal(get.status, 413);
    await open.stop();
  });

  it("rejects another content type and names the expected type", async () => {
    const answer = await post('{"query": "{ me { actor } }"}', { "content-type": "text/plain" });
    assert.equal(answer.status, 415);
    const { code, reason } = errorOf((await answer.json()) as Answer);
    assert.equal(code, "UNSUPPORTED_MEDIA_TYPE");
    assert.equal(reason, "found content type text/plain; expected application/json");
  });

  it("answers invalid JSON and invalid GraphQL with a caller error", async () => {
    for (const body of [
      "{",
      "[]",
      '"x"',
      "null",
      '{"query": 1}',
      "{}",
      '{"query":"{ me { actor } }","variables":[]}',
    ]) {
      const answer = await post(body);
      assert.ok(answer.status < 500, `${body}: ${answer.status}`);
      const { errors } = (await answer.json()) as Answer;
      assert.equal(errors?.[0]?.extensions.class, "caller", body);
    }
  });

  it("streams the progress of an operation as server-sent events", async () => {
    const query = `subscription { operationEvents(id: "${OPERATIONS.acme}") { id text } }`;
    const answer = await post(JSON.stringify({ query }), { accept: "text/event-stream" });
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(answer.headers.get("x-accel-buffering"), "no");
    assert.match(await answer.text(), /step 1[\s\S]*step 2[\s\S]*event: complete/);
  });

  it("finishes running requests, ends streams and rejects new requests when it shuts down", async () => {
    let begun: () => void = () => undefined;
    let release: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const slow = fakeBackend();
    const drained = await startServer({
      ...slow,
      reads: {
        ...slow.reads,
        deployment: async (tenant, id) => {
          begun();
          await new Promise<void>((resolve) => (release = resolve));
          return slow.reads.deployment(tenant, id);
        },
        events: async function* (_operation, _after, signal) {
          yield* [];
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        },
      },
    });
    const ask = (query: string, accept = "application/json") =>
      fetch(`${drained.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${TOKENS.operator}`, accept },
        body: JSON.stringify({ query }),
      });
    const running = ask('{ deployment(id: "acme-1") { id } }');
    const events = `subscription { operationEvents(id: "${OPERATIONS.acme}") { id } }`;
    // A stream that is cut off is continued by its client; one that is complete is not.
    const stream = (await ask(events, "text/event-stream")).text().catch(() => "cut off");
    await beginning;
    drained.end();
    assert.equal(await stream, "cut off");
    const refused = await ask("{ me { actor } }");
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assert.deepEqual(errorOf((await refused.json()) as Answer).retryable, true);
    release();
    const answer = await running;
    assert.deepEqual([answer.status, await answer.json()], [200, { data: { deployment: { id: "acme-1" } } }]);
    await drained.stop();
  });

  it("serves the page with a content security policy and an ETag", async () => {
    const page = await fetch(server.url);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/);
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    const again = await fetch(server.url, { headers: { "if-none-match": page.headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
  });

  it("serves the playground to browsers only", async () => {
    const page = await fetch(`${server.url}/playground`, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /Stackyard playground/);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+';/);
    assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
    assert.equal((await fetch(`${server.url}/playground`)).status, 404);
  });

  it("reports health and readiness without a token", async () => {
    assert.equal(await (await fetch(`${server.url}/healthz`)).text(), "ok\n");
    assert.deepEqual(await (await fetch(`${server.url}/readyz`)).json(), { ready: true, checks: { database: "ok" } });
  });

  it("answers other paths with 404 and the path of the API", async () => {
    for (const path of ["/assets/../service/main.ts", "/.env", "/graphqlx", "/assets/page.css/"]) {
      const answer = await fetch(server.url + path);
      assert.equal(answer.status, 404, path);
      assert.match(errorOf((await answer.json()) as Answer).advice ?? "", /the API is at \/graphql/);
    }
    assert.equal((await fetch(`${server.url}/assets/page.css`, { method: "POST" })).status, 404);
  });
});

describe("the readiness of the service", () => {
  it("is reported for each part, and a slow part does not delay the others", async () => {
    const health = await healthOf({
      good: () => undefined,
      wrong: () => Promise.resolve("not yet run: 0002"),
      broken: () => Promise.reject(new Error("password hidden")),
    });
    assert.deepEqual(health, {
      ready: false,
      checks: { good: "ok", wrong: "not yet run: 0002", broken: "does not answer" },
    });
    const slow = await healthOf({ slow: () => new Promise<undefined>(() => undefined), good: () => undefined });
    assert.deepEqual(slow.checks, { slow: "no answer within 3 s", good: "ok" });
  });
});

describe("cached readiness", () => {
  it("is looked at once a second", async () => {
    let looks = 0;
    let now = 0;
    const health = cachedHealth(
      () => Promise.resolve({ ready: true, checks: { look: String((looks += 1)) } }),
      () => now,
    );
    await Promise.all(Array.from({ length: 100 }, health));
    now = 999;
    await health();
    assert.equal(looks, 1);
    now = 1000;
    assert.equal((await health()).checks["look"], "2");
  });
});

describe("an address", () => {
  it("is reported with its variable if it is in use", async () => {
    const first = createServer();
    await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
    const { port } = first.address() as AddressInfo;
    await assert.rejects(listen(createServer(), { host: "127.0.0.1", port }, "APP_ADDRESS"), {
      message: `APP_ADDRESS: 127.0.0.1:${port} cannot be listened on: another program uses it; choose another address`,
    });
    await new Promise((resolve) => first.close(resolve));
  });

  it("accepts nothing new when it is closed, and finishes running requests", async () => {
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const server = createServer((_request, response) => {
      begun();
      setTimeout(() => response.end("done"), 300);
    });
    const url = await listen(server, { host: "127.0.0.1", port: 0 }, "APP_ADDRESS");
    const slow = fetch(url).then((answer) => answer.text());
    await beginning;
    const closed = closeWithin(server, 5000);
    await assert.rejects(fetch(url));
    assert.equal(await slow, "done");
    await closed;
  });

  it("ends slow requests when it is closed", async () => {
    const server = createServer(() => undefined);
    const url = await listen(server, { host: "127.0.0.1", port: 0 }, "APP_ADDRESS");
    const hanging = fetch(url).catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await closeWithin(server, 100);
    assert.equal(await hanging, "fetch failed");
  });
});

describe("the log", () => {
  it("has JSON lines with fields and without secrets", () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line: string) => void lines.push(line) });
    const error = new Error("connect postgres://me:hidden@db/x", { cause: new Error("at postgres://a:hidden@b") });
    log.error({ operation: "1", error, token: "hidden", change: { password: "hidden" } }, "failed");
    log.debug("not at this level");
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines[0] ?? "", /hidden/);
    const { level, operation, message } = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
    assert.deepEqual([level, operation, message], ["error", "1", "failed"]);
  });
});

describe("the metrics", () => {
  it("count requests by field and outcome", async () => {
    const { registry, observe } = createMetrics();
    observe({ field: "provisionDeployment", outcome: "CONFLICT", seconds: 0.01 });
    const text = await registry.metrics();
    assert.match(text, /stackyard_api_requests_total\{field="provisionDeployment",outcome="CONFLICT"\} 1/);
    assert.match(text, /stackyard_api_request_seconds_bucket\{le="0.02",field="provisionDeployment"\} 1/);
    assert.match(text, /process_resident_memory_bytes/);
  });
});

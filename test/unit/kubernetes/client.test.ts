import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, isMissingNamespace, UnreachableError } from "../../../kubernetes/client/apiError";
import { Client } from "../../../kubernetes/client/client";
import { ServerConnection } from "../../../kubernetes/client/connection";
import type { ClusterCredentials } from "../../../kubernetes/access/credentials";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { delayBefore, retryAfterSeconds } from "../../../kubernetes/client/retry";

const REF = { apiVersion: "v1", kind: "ConfigMap", namespace: "ns", name: "a" };
const KINDS = {
  resources: [
    { name: "configmaps", kind: "ConfigMap", namespaced: true },
    { name: "serviceaccounts", kind: "ServiceAccount", namespaced: true },
    { name: "configmaps/status", kind: "Other", namespaced: true },
    { name: "namespaces", kind: "Namespace", namespaced: false },
  ],
};

/** Answers of an API server, in turn; discovery is answered by itself. */
class Api {
  readonly asked: string[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    reply(response, 200, {});
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      if (request.url === "/api/v1") reply(response, 200, KINDS);
      else if (request.url === "/apis") reply(response, 200, { groups: [{ versions: [{ groupVersion: "apps/v1" }] }] });
      else this.answer(request, response);
    });
  }

  async client(credentials: ClusterCredentials = { kind: "none" }): Promise<Client> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const server = new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
    return new Client(new ServerConnection({ server, tls: {}, credentials }), { patienceMs: 2000 });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function reply(response: ServerResponse, code: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const status = (reason: string, message: string, details: object = {}) => ({
  kind: "Status",
  reason,
  message,
  details,
});

describe("the Kubernetes client", () => {
  let api: Api;
  let client: Client;
  beforeEach(async () => {
    api = new Api();
    client = await api.client();
  });
  afterEach(() => api.close());

  it("applies server-side, and discovers kinds only once", async () => {
    const object = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a", namespace: "ns" } };
    await client.apply(object);
    await client.apply(object, { dryRun: true });
    assert.deepEqual(api.asked, [
      "GET /api/v1",
      "PATCH /api/v1/namespaces/ns/serviceaccounts/a?fieldManager=stackyard&force=true&fieldValidation=Strict",
      "PATCH /api/v1/namespaces/ns/serviceaccounts/a?fieldManager=stackyard&force=true&fieldValidation=Strict&dryRun=All",
    ]);
  });

  it("does not discover kinds that every cluster has", async () => {
    await client.get(REF);
    await client.list({ apiVersion: "networking.k8s.io/v1", kind: "Ingress" });
    assert.deepEqual(api.asked, [
      "GET /api/v1/namespaces/ns/configmaps/a",
      "GET /apis/networking.k8s.io/v1/ingresses?limit=500",
    ]);
  });

  it("impersonates a user only if configured", async () => {
    const headers: Record<string, unknown>[] = [];
    api.answer = (request, response) => {
      const said = Object.entries(request.headersDistinct).filter(([key]) => key.startsWith("impersonate-"));
      headers.push(Object.fromEntries(said));
      reply(response, 200, {});
    };
    await client.as({ user: "ada", groups: ["ops", "dev"], uid: "7", extra: { "a.io/b": ["c"] } }).get(REF);
    await client.as({ user: "ada" }).get(REF);
    await client.get(REF);
    assert.deepEqual(headers, [
      {
        "impersonate-user": ["ada"],
        "impersonate-group": ["ops", "dev"],
        "impersonate-uid": ["7"],
        "impersonate-extra-a.io%2fb": ["c"],
      },
      { "impersonate-user": ["ada"] },
      {},
    ]);
  });

  it("creates reviews such as SelfSubjectAccessReview", async () => {
    const bodies: string[] = [];
    api.answer = (request, response) => {
      request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on("end", () => reply(response, 201, { status: { allowed: true } }));
    };
    const review = await client.review("authorization.k8s.io/v1", "SelfSubjectAccessReview", { a: 1 });
    assert.deepEqual(review["status"], { allowed: true });
    assert.deepEqual(api.asked, ["POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"]);
    assert.deepEqual(JSON.parse(bodies.join("")), {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { a: 1 },
    });
  });

  it("retries if the server is busy or closes the connection, and respects Retry-After", async () => {
    const started = Date.now();
    let turn = 0;
    api.answer = (request, response) => {
      turn++;
      if (turn === 1) reply(response, 503, {});
      else if (turn === 2) request.socket.destroy();
      else if (turn === 3) reply(response, 429, {}, { "retry-after": "1" });
      else reply(response, 200, { metadata: { name: "a" } });
    };
    assert.equal((await client.get(REF))?.metadata.name, "a");
    assert.equal(turn, 4);
    assert.ok(Date.now() - started >= 1000);
  });

  it("does not retry a rejected request, and reports the message of the API", async () => {
    let turn = 0;
    api.answer = (_request, response) => {
      turn++;
      reply(response, 403, status("Forbidden", "configmaps is forbidden: exceeded quota"));
    };
    await assert.rejects(client.get(REF), (error: ApiError) => {
      assert.equal(error.message, "could not read ConfigMap ns/a: configmaps is forbidden: exceeded quota");
      return error.code === 403 && error.reason === "Forbidden";
    });
    assert.equal(turn, 1);
  });

  it("treats a schema mismatch as a request error, despite status 500", async () => {
    let turn = 0;
    api.answer = (_request, response) => {
      turn++;
      reply(response, 500, status("", "failed to create typed patch object: .dta: field not declared in schema"));
    };
    await assert.rejects(client.get(REF), (error: ApiError) => error.code === 422);
    assert.equal(turn, 1);
  });

  it("distinguishes a missing object from a missing namespace", async () => {
    api.answer = (_request, response) =>
      reply(response, 404, status("NotFound", "configmaps a", { kind: "configmaps" }));
    assert.equal(await client.get(REF), undefined);
    assert.equal(await client.remove(REF), false);
    api.answer = (_request, response) => reply(response, 404, status("NotFound", "no ns", { kind: "namespaces" }));
    await assert.rejects(client.merge(REF, {}), isMissingNamespace);
  });

  it("pages through long lists, and sets the kind of every item", async () => {
    api.answer = (request, response) => {
      const more = !request.url?.includes("continue=next");
      reply(response, 200, {
        items: [{ metadata: { name: more ? "a" : "b" } }],
        metadata: { continue: more ? "next" : "" },
      });
    };
    const found = await client.list({ apiVersion: "v1", kind: "ConfigMap", namespace: "ns" }, { label: "x=y" });
    assert.deepEqual(
      found.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ["ConfigMap a", "ConfigMap b"],
    );
    assert.match(api.asked[0] ?? "", /limit=500&labelSelector=x%3Dy/);
  });

  it("lists from the beginning if the version of the first page is too old, a few times", async () => {
    let turn = 0;
    const expired = status("Expired", "The provided continue parameter is too old");
    api.answer = ({ url = "" }, response) => {
      turn++;
      if (!url.includes("continue"))
        reply(response, 200, { items: [{ metadata: { name: "a" } }], metadata: { continue: "b" } });
      else if (turn === 2) reply(response, 410, expired);
      else reply(response, 200, { items: [{ metadata: { name: "b" } }] });
    };
    const names = (await client.list({ apiVersion: "v1", kind: "ConfigMap" })).map(({ metadata }) => metadata.name);
    assert.deepEqual([names, turn], [["a", "b"], 4]);
    turn = 0;
    api.answer = (_request, response) => (turn++, reply(response, 410, expired));
    await assert.rejects(client.list({ apiVersion: "v1", kind: "ConfigMap" }), /continue parameter is too old/);
    assert.equal(turn, 4);
  });

  it("requests new credentials once when the server rejects them", async () => {
    api.close();
    api = new Api();
    let token = "old";
    client = await api.client({ kind: "tokenFile", read: () => token });
    api.answer = (request, response) => {
      if (request.headers.authorization === "Bearer new") return reply(response, 200, { metadata: { name: "a" } });
      token = "new";
      reply(response, 401, status("Unauthorized", "Unauthorized"));
    };
    assert.ok(await client.get(REF));
    token = "newer";
    api.answer = (_request, response) => reply(response, 401, status("Unauthorized", "Unauthorized"));
    await assert.rejects(client.get(REF), /Unauthorized; the credentials of the kubeconfig are not accepted/);
  });

  it("stops immediately when it is cancelled", async () => {
    api.answer = () => undefined;
    const stop = new AbortController();
    const asked = client.with({ signal: stop.signal }).get(REF);
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(asked, { name: "AbortError" });
  });

  it("does not let a cancelled request fail a concurrent request", async () => {
    const stop = new AbortController();
    const first = client.with({ signal: stop.signal }).discovery.resource("v1", "ConfigMap");
    const second = client.discovery.resource("v1", "ConfigMap");
    stop.abort();
    await assert.rejects(first, { name: "AbortError" });
    assert.deepEqual(await second, { plural: "configmaps", namespaced: true, listable: false });
  });

  it("finds a kind that was added after discovery", async () => {
    let resources: object[] = [];
    api.answer = ({ url }, response) =>
      reply(response, 200, url === "/apis/x.io" ? { versions: [{ groupVersion: "x.io/v1" }] } : { resources });
    assert.equal(await client.discovery.version("x.io", "Late"), undefined);
    resources = [{ name: "lates", kind: "Late", namespaced: true }];
    assert.equal(await client.discovery.version("x.io", "Late"), "x.io/v1");
  });

  it("suggests the closest kind or version for an unknown name", async () => {
    api.answer = (_request, response) => reply(response, 404, status("NotFound", "no such page"));
    const message = async (apiVersion: string, kind: string): Promise<string> => {
      const error: unknown = await client.discovery.resource(apiVersion, kind).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof UnknownKindError);
      return error.message;
    };
    assert.match(await message("v1", "ConfigMaps"), /no kind ConfigMaps in v1; did you mean ConfigMap\?/);
    assert.match(await message("app/v1", "Deployment"), /no app\/v1 at all; did you mean apps\/v1\?/);
    assert.match(await message("ray.io/v1", "RayCluster"), /is the operator that defines it \(its CRDs\) installed\?/);
    // Views of a resource, such as its status, are no kinds.
    assert.match(await message("v1", "Other"), /no kind Other/);
  });

  it("explains an unreachable server and a response that is not from an API server", async () => {
    const server = client.connection.server;
    api.answer = (_request, response) => void response.writeHead(200).end("<html>hello</html>");
    await assert.rejects(
      client.get(REF),
      /answered something that is not JSON; is it the URL of a Kubernetes API server\?/,
    );
    api.answer = (_request, response) => void response.writeHead(502).end("<html><b>Bad Gateway</b></html>");
    await assert.rejects(client.with({ patienceMs: 0 }).get(REF), /could not read ConfigMap ns\/a: Bad Gateway/);
    api.close();
    await assert.rejects(client.with({ patienceMs: 500 }).get(REF), (error: UnreachableError) => {
      assert.equal(
        error.message,
        `the cluster at ${server} cannot be reached: nothing listens there (connection refused)`,
      );
      return error.passing;
    });
  });
});

describe("a request that is retried", () => {
  const busy = new ApiError("busy", 503, "");

  it("waits longer each time, but not beyond its limits", () => {
    const delays = [1, 2, 3].map((attempt) => delayBefore(busy, attempt, 0, 20_000, () => 0.5));
    assert.deepEqual(delays, [113, 225, 450]);
    assert.equal(delayBefore(busy, 8, 0, 20_000), undefined);
    assert.equal(delayBefore(busy, 1, 1_000, 1_050), undefined);
  });

  it("happens only after transient errors", () => {
    assert.equal(delayBefore(new ApiError("no", 422, "Invalid"), 1, 0, 20_000), undefined);
    assert.equal(delayBefore(new UnreachableError("not trusted", false), 1, 0, 20_000), undefined);
    assert.equal(delayBefore(new TypeError("bug"), 1, 0, 20_000), undefined);
    assert.ok(delayBefore(new UnreachableError("refused", true), 1, 0, 20_000));
  });

  it("reads both formats of Retry-After", () => {
    assert.equal(retryAfterSeconds("3"), 3);
    assert.equal(retryAfterSeconds("Thu, 01 Jan 1970 00:01:00 GMT", 10_000), 50);
    assert.equal(retryAfterSeconds("soon"), undefined);
    assert.equal(retryAfterSeconds(undefined), undefined);
  });
});

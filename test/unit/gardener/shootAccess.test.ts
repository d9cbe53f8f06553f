import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { readShootAccess, shootAccessText } from "../../../foundation/shootAccess";
import { ShootLease } from "../../../kubernetes/connect/shootLease";
import { connect } from "../../../kubernetes/connect/connect";

const config = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user: { token } }],
  });

describe("the access to the cluster of a Shoot", () => {
  let server: http.Server;
  let url: string;
  /** What Gardener was asked for. */
  let asked: { path: string; body: { kind: string; spec: object } }[];
  /** What the cluster accepts. */
  let good: string;
  let life: number;
  let answer: (() => object) | undefined;
  let missing: boolean;

  before(async () => {
    server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const reply = (status: number, body: object) =>
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        const path = request.url ?? "";
        if (path.startsWith("/garden/apis/core.gardener.cloud/v1beta1/namespaces/")) {
          if (missing) return reply(404, { kind: "Status", reason: "NotFound", message: "no such Shoot" });
          asked.push({ path, body: JSON.parse(Buffer.concat(chunks).toString()) as { kind: string; spec: object } });
          const kubeconfig = Buffer.from(config(`${url}/cluster`, `token-${asked.length}`)).toString("base64");
          const expirationTimestamp = new Date(Date.now() + life * 1000).toISOString();
          return reply(201, answer?.() ?? { status: { kubeconfig, expirationTimestamp } });
        }
        if (path === "/garden/apis/core.gardener.cloud/v1beta1") {
          return reply(200, { resources: [{ name: "shoots", kind: "Shoot", namespaced: true }] });
        }
        if (request.headers.authorization !== `Bearer ${good}`) return reply(401, { kind: "Status", message: "who?" });
        return reply(200, { metadata: { uid: "cluster-uid" } });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    asked = [];
    good = "token-1";
    life = 3600;
    answer = undefined;
    missing = false;
  });

  let count = 0;
  const access = (more: object = {}) => ({
    garden: config(`${url}/garden`, "robot"),
    namespace: "garden-dev",
    // Clients are kept by their text, so each test has a Shoot of its own.
    shoot: `s${(count += 1)}`,
    ...more,
  });
  const read = (text: string) =>
    connect(text, undefined, { patienceMs: 0 }).json<object>("look", "/api/v1/namespaces/x");

  it("requests a kubeconfig on first use, once for concurrent requests", async () => {
    const given = access({ expirationSeconds: 600 });
    const client = connect(shootAccessText(given), undefined, { patienceMs: 0 });
    assert.equal(asked.length, 0);
    await Promise.all([1, 2, 3].map(() => client.json("look", "/api/v1/namespaces/x")));
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.path ?? "", new RegExp(`/namespaces/garden-dev/shoots/${given.shoot}/adminkubeconfig$`));
    assert.deepEqual(asked[0]?.body.spec, { expirationSeconds: 600 });
    assert.equal(asked[0]?.body.kind, "AdminKubeconfigRequest");
  });

  it("requests a viewer kubeconfig for the viewer role", async () => {
    await read(shootAccessText(access({ role: "viewer" })));
    assert.match(asked[0]?.path ?? "", /viewerkubeconfig$/);
    assert.equal(asked[0]?.body.kind, "ViewerKubeconfigRequest");
  });

  it("requests a new kubeconfig only once when the cluster rejects the credentials", async () => {
    const text = shootAccessText(access());
    await read(text);
    good = "token-2";
    await read(text);
    assert.equal(asked.length, 2);
    good = "another";
    await assert.rejects(read(text), /who\?/);
    assert.equal(asked.length, 3);
  });

  it("requests a new kubeconfig when most of the old one's lifetime is over", async () => {
    let now = Date.now();
    const given = access();
    const lease = new ShootLease(connect(given.garden, undefined, {}), given, () => now);
    const first = await lease.access();
    now += 0.7 * 3600_000;
    assert.equal(await lease.access(), first);
    now += 0.2 * 3600_000;
    assert.notEqual(await lease.access(), first);
    assert.equal(asked.length, 2);
  });

  it("names the Shoot if Gardener's response has no kubeconfig", async () => {
    answer = () => ({ status: {} });
    await assert.rejects(
      read(shootAccessText(access())),
      /kubeconfig of Shoot garden-dev\/s\d+ without status.kubeconfig/,
    );
  });

  it("fails if the Shoot does not exist, instead of reporting a missing object", async () => {
    missing = true;
    const client = connect(shootAccessText(access()), undefined, { patienceMs: 0 });
    const object = { apiVersion: "v1", kind: "Namespace", name: "x" };
    await assert.rejects(client.get(object), /the cluster of Shoot garden-dev\/s\d+ can't be reached: .*no such Shoot/);
  });

  it("can be distinguished from a kubeconfig", () => {
    const given = { garden: "{}", namespace: "garden-dev", shoot: "acme" };
    assert.deepEqual(readShootAccess(shootAccessText(given)), given);
    assert.equal(readShootAccess(config("https://a", "b")), undefined);
    assert.throws(() => readShootAccess(shootAccessText({ ...given, shoot: "" })), /expected all of them/);
  });
});

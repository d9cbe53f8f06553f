import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../kubernetes/client/connect";
import { openShoots, Shoots } from "../../../service/gardener/shoots";

const RUNTIME = { id: "acme-1", wish: { deployment: { cluster: { name: "acme" } } } };
const SHOOT = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "acme", uid: "1" } };

const kubeconfig = (url: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "g", cluster: { server: url } }],
    users: [{ name: "g", user: { token: "t" } }],
    contexts: [{ name: "g", context: { cluster: "g", user: "g" } }],
    "current-context": "g",
  });

const RESOURCES = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "core.gardener.cloud/v1beta1",
  resources: [{ name: "shoots", singularName: "shoot", namespaced: true, kind: "Shoot", verbs: ["get", "patch"] }],
};

describe("the service's sight of Gardener", () => {
  let server: Server;
  let url: string;
  let answer: RequestListener;
  const asked: string[] = [];

  before((done) => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader("content-type", "application/json");
      if (request.url?.endsWith("/v1beta1")) response.end(JSON.stringify(RESOURCES));
      else answer(request, response);
    });
    server.listen(0, "127.0.0.1", () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (): Shoots => new Shoots(connect(kubeconfig(url), undefined, {}), "dev");

  it("finds the Shoot of a runtime in its project", async () => {
    answer = (_request, response) => void response.end(JSON.stringify(SHOOT));
    assert.equal((await open().of(RUNTIME))?.metadata.uid, "1");
    assert.equal(asked.at(-1), "GET /apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots/acme");
  });

  it("answers in time with what it saw last while Gardener is slow, and gives no kubeconfig", async () => {
    const shoots = open();
    answer = (_request, response) => void response.end(JSON.stringify(SHOOT));
    assert.equal((await shoots.soon(RUNTIME, 5_000))?.metadata.uid, "1");
    answer = () => undefined;
    const started = performance.now();
    assert.equal((await shoots.soon(RUNTIME, 200))?.metadata.uid, "1");
    assert.equal(await shoots.soon({ ...RUNTIME, id: "never-seen" }, 200), undefined);
    assert.equal(await shoots.kubeconfig(RUNTIME, 200), undefined);
    assert.ok(performance.now() - started < 5_000);
  });

  it("needs a kubeconfig's file", () => {
    const folder = mkdtempSync(join(tmpdir(), "shoots-"));
    const path = join(folder, "kubeconfig.yaml");
    const values = { APP_GARDENER_PROJECT: "dev", APP_GARDENER_KUBECONFIG_PATH: path };
    assert.equal(openShoots(values), undefined);
    writeFileSync(path, kubeconfig(url));
    assert.ok(openShoots(values));
    rmSync(folder, { recursive: true });
  });
});

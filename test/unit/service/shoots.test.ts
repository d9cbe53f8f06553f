import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Platform } from "../../../components/runtime/platform/platform";
import { gardensOf } from "../../../service/gardener/gardens";
import { Shoots } from "../../../service/gardener/shoots";
import { PLATFORM } from "../runtime/platform";

const RUNTIME = { id: "acme-1", desiredConfig: { deployment: { cluster: { name: "acme" } } } };
const SHOOT = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "acme", uid: "1" } };

const GOING = new AbortController().signal;

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

describe("the service's access to Gardener", () => {
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

  const open = (): Shoots =>
    new Shoots(() => Promise.resolve({ client: connect(kubeconfig(url), undefined, {}), project: "dev" }), GOING);

  it("finds the Shoot of a runtime in its project", async () => {
    answer = (_request, response) => void response.end(JSON.stringify(SHOOT));
    assert.equal((await open().of(RUNTIME))?.metadata.uid, "1");
    assert.equal(asked.at(-1), "GET /apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots/acme");
  });

  it("returns the last seen Shoot and no kubeconfig in time while Gardener is slow", async () => {
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

  describe("with several provisioners", () => {
    const folder = mkdtempSync(join(tmpdir(), "shoots-"));
    after(() => rmSync(folder, { recursive: true }));
    const file = (name: string, text?: string): string => {
      const path = join(folder, name);
      if (text !== undefined) writeFileSync(path, text);
      return path;
    };
    const garden = (project: string) => ({ type: "gardener", project, kubeconfig: kubeconfig(`${url}/${project}`) });
    const platform = (): Platform =>
      ({
        ...{ ...PLATFORM, defaultProvisioner: "one" },
        provisioners: { ...PLATFORM.provisioners, one: garden("red"), two: garden("blue") },
      }) as unknown as Platform;
    const runtime = (deployment: object = {}, more: object = {}) => ({
      id: "acme-1",
      desiredConfig: { platform: "organization/stackyard/here", deployment: { cluster: {}, ...deployment } },
      ...more,
    });
    const values = (path: string, project = "dev") => ({
      APP_GARDENER_PROJECT: project,
      APP_GARDENER_KUBECONFIG_PATH: path,
    });
    const known = (of: string) => (name: string) =>
      name === of ? Promise.resolve(platform()) : Promise.reject(new Error(`no platform ${name}`));
    const look = async (path: string, wanted: ReturnType<typeof runtime>, project?: string): Promise<string> => {
      const gardens = gardensOf(values(path, project), known("organization/stackyard/here"));
      answer = (_request, response) => void response.end(JSON.stringify(SHOOT));
      await new Shoots(gardens, GOING).of(wanted);
      return asked.at(-1) ?? "";
    };
    const shoots = (garden: string, project: string, name = "acme-1") =>
      `GET ${garden}/apis/core.gardener.cloud/v1beta1/namespaces/garden-${project}/shoots/${name}`;

    it("finds a Shoot in the project and with the kubeconfig of its own provisioner", async () => {
      const none = file("missing");
      assert.equal(await look(none, runtime()), shoots("/red", "red"));
      assert.equal(await look(none, runtime({ provisioner: "two" })), shoots("/blue", "blue"));
      assert.equal(await look(none, runtime({}, { provisioner: "two" })), shoots("/blue", "blue"));
      const called = { outputs: { cluster: { name: "called-so" } } };
      assert.equal(await look(none, runtime({}, called)), shoots("/red", "red", "called-so"));
    });

    it("uses the environment's kubeconfig for the project that the environment names", async () => {
      const own = file("kubeconfig", kubeconfig(`${url}/own`));
      assert.equal(await look(own, runtime(), "red"), shoots("/own", "red"));
      assert.equal(await look(own, runtime({ provisioner: "two" }), "red"), shoots("/blue", "blue"));
      const elsewhere = {
        ...runtime(),
        desiredConfig: { ...runtime().desiredConfig, platform: "organization/stackyard/away" },
      };
      assert.equal(await look(own, elsewhere, "red"), shoots("/own", "red"));
      await assert.rejects(look(file("missing"), elsewhere), /no platform organization\/stackyard\/away/);
    });

    it("reads the environment's kubeconfig again when its file has changed", async () => {
      const own = file("renewed", kubeconfig(`${url}/before`));
      const gardens = gardensOf(values(own, "red"), known("organization/stackyard/here"));
      answer = (_request, response) => void response.end(JSON.stringify(SHOOT));
      const found: string[] = [];
      for (const garden of ["before", "before", "after-it"]) {
        if (garden === "after-it") file("renewed", kubeconfig(`${url}/${garden}`));
        await new Shoots(gardens, GOING).of(runtime());
        found.push(asked.at(-1) ?? "");
      }
      assert.deepEqual(
        found,
        ["/before", "/before", "/after-it"].map((garden) => shoots(garden, "red")),
      );
    });

    it("finds no cluster if the provisioner has another type", async () => {
      const other = Object.keys(PLATFORM.provisioners)[0] ?? "";
      await assert.rejects(look(file("missing"), runtime({ provisioner: other })), /no provisioner of type gardener/);
    });
  });

  it("answers in time while a platform is read slowly", async () => {
    const never = new Shoots(() => new Promise(() => undefined), GOING);
    assert.equal(await never.soon(RUNTIME, 50), undefined);
    assert.equal(await never.kubeconfig(RUNTIME, 50), undefined);
  });
});

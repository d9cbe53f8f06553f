import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBundle } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import type { PullSecret } from "../../../bundles/sources/image";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { cacheIn } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";
import { basic, layerOf, TestRegistry, withUsers } from "./registry";

describe("a bundle in a registry with a pull secret", () => {
  const namespace = `bundles-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "stackyard-pull-"));
  const dockerConfig = process.env["DOCKER_CONFIG"];
  let kubeconfig: string;
  let client: Client;
  let registry: TestRegistry;
  let caches = 0;

  before(async function () {
    this.timeout(300_000);
    process.env["DOCKER_CONFIG"] = folder;
    kubeconfig = await testKubeconfig();
    client = connect(kubeconfig, undefined, {});
    registry = await TestRegistry.start(withUsers, `Basic ${basic()}`);
    await registry.image("team/secret", "v1", [layerOf([{ path: "manifests/a", content: "a" }])]);
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });
  after(async () => {
    registry.stop();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
    if (dockerConfig === undefined) delete process.env["DOCKER_CONFIG"];
    else process.env["DOCKER_CONFIG"] = dockerConfig;
  });

  const put = (name: string, type: string, data: Record<string, unknown>): Promise<unknown> => {
    const stringData = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)]));
    return client.apply({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, type, stringData });
  };
  const read = async (name: string, more: Partial<PullSecret> = {}): Promise<string[]> => {
    const pullSecret = { namespace, name, kubeconfig, ...more };
    const cache = cacheIn(join(folder, `cache-${caches++}`));
    const source = { type: "image", ref: `${registry.host}/team/secret:v1`, pullSecret } as const;
    return [...(await openBundle([source], { base: "/", cache })).tree.files.keys()];
  };

  it("is read with a pull secret of either type", async () => {
    const auths = { [registry.host]: { auth: basic() } };
    await put("json", "kubernetes.io/dockerconfigjson", { ".dockerconfigjson": { auths } });
    assert.deepEqual(await read("json"), ["manifests/a"]);
    await put("cfg", "kubernetes.io/dockercfg", { ".dockercfg": auths });
    assert.deepEqual(await read("cfg"), ["manifests/a"]);
  });

  it("is not read with a wrong password, which is not printed", async () => {
    const wrong = { [registry.host]: { auth: basic("wrong-secret") } };
    await put("wrong", "kubernetes.io/dockerconfigjson", { ".dockerconfigjson": { auths: wrong } });
    await assert.rejects(read("wrong"), (error) => {
      assert.ok(error instanceof Unavailable);
      assert.match(error.message, /HTTP status 401; check its credentials/);
      assert.ok(!error.message.includes(basic("wrong-secret")));
      return true;
    });
  });

  it("reports a pull secret that is missing, of the wrong type or forbidden", async () => {
    await assert.rejects(read("none"), new RegExp(`pullSecret: Secret ${namespace}/none is not there$`));
    await put("opaque", "Opaque", { ".dockerconfigjson": {} });
    await assert.rejects(read("opaque"), (error) => {
      assert.ok(error instanceof Refused);
      assert.match(
        error.message,
        /opaque is of type Opaque; expected kubernetes\.io\/dockerconfigjson or kubernetes\.io/,
      );
      return true;
    });
    await assert.rejects(read("../x"), /pullSecret: found ".*\/\.\.\/x"; expected a namespace and a name/);
    await assert.rejects(read("json", { kubeconfig: "no kubeconfig" }), Refused);
  });
});

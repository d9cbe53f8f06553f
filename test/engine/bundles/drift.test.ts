import assert from "node:assert/strict";
import path from "node:path";
import type { Ref } from "../../../kubernetes/objects/objects";
import { configMap, deployment, service } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World } from "./world";

describe("the refresh of a bundle release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const theirs = (ref: Ref, patch: object, manager?: string, subresource?: string): Promise<void> =>
    world.changeAs(ref, patch, manager, subresource);

  it("detects missing and changed objects, which the next update fixes", async () => {
    const files = { "a.yaml": [configMap("a"), configMap("b"), configMap("c"), deployment()] };
    const release = world.release();
    await release.up(files);
    assert.ok(await release.refresh());
    assert.deepEqual(await release.changes(files), []);

    await world.client.remove(world.ref("v1", "ConfigMap", "b"));
    // By our own manager, so that fixing it takes nothing over.
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { data: { a: "changed" } });
    await world.client.merge(world.ref("v1", "ConfigMap", "c"), { metadata: { labels: { theirs: "too" } } });
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [
      `ConfigMap ${world.namespace}/a: data.a`,
      `ConfigMap ${world.namespace}/b is missing`,
    ]);
    assert.deepEqual(await release.changes(files), ["drift"]);
    await release.up(files, { force: true });
    assert.equal((await world.there("ConfigMap", "a"))?.["data"]?.["a" as never], "b");
    assert.ok(await world.there("ConfigMap", "b"));
    assert.ok(await release.refresh());
    assert.deepEqual(await release.changes(files, { force: true }), []);
    await release.down();
  });

  it("does not report a Job as missing that Kubernetes removes after it finishes", async () => {
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "once" },
      spec: {
        ttlSecondsAfterFinished: 60,
        template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example/job:1" }] } },
      },
    };
    const files = { "a.yaml": [configMap("a"), job] };
    const release = world.release();
    await release.up(files);
    await world.client.remove(world.ref("batch/v1", "Job", "once"), { propagationPolicy: "Background" });
    assert.ok(await release.refresh());
    assert.deepEqual([release.inputs?.drift, await release.changes(files)], [undefined, []]);
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    assert.ok(await release.refresh(), "its note is there, so what it recorded stays");
    assert.deepEqual(release.inputs?.drift, [`ConfigMap ${world.namespace}/a is missing`]);
  });

  it("reverts manual changes and leaves fields to their controllers", async () => {
    const files = { "a.yaml": [configMap("a"), deployment()] };
    const release = world.release();
    await release.up(files);
    await theirs(world.ref("v1", "ConfigMap", "a"), { data: { a: "by hand" } }, "kubectl-edit");
    await assert.rejects(
      release.up({ "a.yaml": [configMap("a", { a: "2" }), deployment()] }),
      /data\.a by "kubectl-edit"/,
    );
    assert.ok(await release.refresh());
    await release.preview(files);
    await release.up(files);
    assert.equal((await world.there("ConfigMap", "a"))?.["data"]?.["a" as never], "b");

    // What kubectl scale sends.
    await theirs(world.ref("apps/v1", "Deployment", "acme"), { spec: { replicas: 4 } }, "kubectl", "/scale");
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`Deployment ${world.namespace}/acme: spec.replicas`]);
    await release.up(files);
    const { spec } = (await world.client.get(world.ref("apps/v1", "Deployment", "acme"))) as {
      spec?: { replicas?: number };
    };
    assert.equal(spec?.replicas, deployment().spec.replicas);

    await theirs(world.ref("apps/v1", "Deployment", "acme"), { spec: { replicas: 3 } }, "autoscaler");
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`Deployment ${world.namespace}/acme: spec.replicas`]);
    await assert.rejects(release.up(files), /spec\.replicas by "autoscaler"\. Remove them from the bundle/);
    await release.down();
  });

  it("checks only objects with changes by others and ignores fields that others added", async () => {
    const names = Array.from({ length: 14 }, (_, index) => `c${index}`);
    const files = { "a.yaml": [...names.map((name) => configMap(name)), deployment(), service()] };
    const release = world.release();
    await release.up(files);
    const tried: string[] = [];
    const { connection } = world.client;
    const send = connection.send.bind(connection);
    connection.send = (exchange) => {
      if (exchange.method === "PATCH") tried.push(path.basename(exchange.path.replace(/\?.*/, "")));
      return send(exchange);
    };
    try {
      await theirs(world.ref("v1", "ConfigMap", "c3"), { data: { theirs: "too" } });
      await theirs(world.ref("apps/v1", "Deployment", "acme"), { metadata: { annotations: { theirs: "too" } } });
      tried.splice(0);
      assert.ok(await release.refresh());
      assert.equal(release.inputs?.drift, undefined);
      assert.equal(tried.join(), "");

      await theirs(world.ref("v1", "ConfigMap", "c5"), { data: { a: "theirs" } });
      await theirs(world.ref("v1", "Service", "acme"), { spec: { selector: { theirs: "too" } } });
      tried.splice(0);
      assert.ok(await release.refresh());
      assert.deepEqual(release.inputs?.drift, [
        `ConfigMap ${world.namespace}/c5: data.a`,
        `Service ${world.namespace}/acme: spec.selector.theirs`,
      ]);
      assert.ok(tried.includes("c5") && !tried.includes("c4"), tried.join());
    } finally {
      Reflect.deleteProperty(connection, "send");
    }
    await release.down();
  });

  it("reads the content from the cache without the source; without both, it checks existence only", async () => {
    const release = world.release();
    await release.up({ "a.yaml": [configMap("a"), configMap("b")] });
    const inputs = { ...release.inputs!, sources: [{ type: "local", path: "/nowhere" }] };
    release.inputs = inputs;
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { data: { a: "changed" } });
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs.drift, [`ConfigMap ${world.namespace}/a: data.a`]);
    process.env["XDG_CACHE_HOME"] = `${world.folder}/empty`;
    await world.client.remove(world.ref("v1", "ConfigMap", "b"));
    assert.ok(await release.refresh());
    assert.match(world.said("warning"), /\/nowhere can't be read/);
    assert.deepEqual(release.inputs.drift, [`ConfigMap ${world.namespace}/b is missing`]);
  });

  it("reports missing objects when all are gone and keeps the recorded state", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("a") });
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`ConfigMap ${world.namespace}/a is missing`]);
  });
});

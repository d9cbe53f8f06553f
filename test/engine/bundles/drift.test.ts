import assert from "node:assert/strict";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World } from "./world";

describe("the refresh of a bundle's release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  it("finds what is missing and what was changed, and the next update mends it", async () => {
    const files = { "a.yaml": [configMap("a"), configMap("b"), configMap("c"), deployment()] };
    const release = world.release();
    await release.up(files);
    assert.ok(await release.refresh());
    assert.deepEqual(await release.changes(files), []);

    await world.client.remove(world.ref("v1", "ConfigMap", "b"));
    // By our own manager, so that mending it takes nothing over.
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

  it("needs no source while the content is in the cache, and looks only whether objects are there without it", async () => {
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

  it("says that all is gone when all is gone", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("a") });
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    assert.equal(await release.refresh(), false);
  });
});

import assert from "node:assert/strict";
import type { SetState } from "../../../kubernetes/apply/set";
import { recordRef } from "../../../kubernetes/owners/store";
import { until } from "../../../kubernetes/work/work";
import { service, statefulSet, World, type TestSet } from "./world";
import { testKubeconfig } from "./yard";

describe("a runtime with unchanged inputs", () => {
  let world: World;
  let set: TestSet;
  const objects = () => [statefulSet(), service()];
  const SET = () => world.ref("apps/v1", "StatefulSet", "acme");
  const CLAIM = () => world.ref("v1", "PersistentVolumeClaim", "data-acme-0");

  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    // A stack of its own: a set of the same stack in another namespace would be where this one was moved.
    set = world.set({ record: { deployment: { id: "acme" } } }, world.namespace);
    await set.up(objects());
    assert.deepEqual(await set.changes(objects()), []);
  });
  afterEach(() => world.close());

  /** Asserts that the next update finds these paths, restores them, and finds nothing afterwards. */
  async function isRestored(...paths: string[]): Promise<void> {
    assert.deepEqual((await set.changes(objects())).sort(), paths);
    await set.up(objects());
    assert.deepEqual(await set.changes(objects()), []);
  }

  it("has its replicas and its image restored", async () => {
    await world.client.merge(SET(), { spec: { replicas: 0 } });
    await isRestored("objects[0]");
    const containers = [{ ...(await world.statefulSet()).spec.template.spec.containers[0], image: "example/foreign" }];
    await world.client.merge(SET(), { spec: { template: { spec: { containers } } } });
    await isRestored("objects[0]");
    assert.equal((await world.statefulSet()).spec.replicas, 1);
  });

  it("has a port of its Service restored", async () => {
    const ref = world.ref("v1", "Service", "acme");
    const [port, ...others] = ((await world.must(ref)).spec as { ports: { port: number }[] }).ports;
    await world.client.merge(ref, { spec: { ports: [{ ...port, port: 4711 }, ...others] } });
    await isRestored("objects[1]");
    assert.equal((await world.must(ref)).spec.ports[0].port, port?.port);
  });

  it("has deleted objects and owner marks restored, even with a change of only the request", async () => {
    await world.client.remove(world.ref("v1", "Service", "acme"));
    await world.client.merge(SET(), {
      metadata: { labels: { "stackyard.dev/set": null, "stackyard.dev/set-namespace": null } },
    });
    assert.deepEqual((await set.changes(objects())).sort(), ["objects[0]", "objects[1]"]);
    await set.up(objects(), { record: { deployment: { id: "acme", annotations: { a: "b" } } } });
    assert.equal((await world.statefulSet()).metadata.labels?.["stackyard.dev/set"], "acme");
    await world.must(world.ref("v1", "Service", "acme"));
  });

  it("rejects an address of another cluster instead of reporting a deletion or no change", async () => {
    set.state = { ...(set.state as SetState), clusterUid: "2d5e0d9c" };
    await assert.rejects(set.changes(objects()), /is another cluster .* than the one that this is in/);
  });

  it("has the record of its owner restored", async () => {
    const ref = recordRef({ name: "acme", namespace: world.namespace });
    await world.client.remove(ref);
    await isRestored("ownerId");
    assert.ok(await world.client.get(ref));
  });

  it("is not rolled out while its disk is being deleted, because that would complete the deletion", async () => {
    const { uid } = (await world.claim("data-acme-0")).metadata;
    await world.client.remove(CLAIM());
    assert.deepEqual(await set.changes(objects()), ["objects[0]"]);
    const next = [statefulSet({ image: "example/runtime:2" }), service()];
    assert.match(await set.fails(next), /data-acme-0 is being deleted since .*kubectl patch pv /);
    const asleep = [statefulSet({ replicas: 0 }), service()];
    assert.match(await set.fails(asleep), /data-acme-0 is being deleted since /);
    const claim = await world.claim("data-acme-0");
    assert.equal(claim.metadata.uid, uid);
    assert.equal((await world.statefulSet()).spec.replicas, 1);
  });

  it("is not ready with an empty disk in place of its own until a refresh has accepted it", async () => {
    const { uid } = (await world.claim("data-acme-0")).metadata;
    await world.client.remove(CLAIM());
    await world.client.remove(world.ref("v1", "Pod", "acme-0"));
    await until(
      { signal: AbortSignal.timeout(20_000), deadline: Date.now() + 20_000 },
      async () => {
        const live = await world.client.get(CLAIM());
        return live !== undefined && live.metadata.uid !== uid ? live : undefined;
      },
      () => Promise.resolve(new Error("there is no new claim")),
    );
    assert.deepEqual(await set.changes(objects()), ["objects[0]"]);
    assert.match(await set.fails(objects()), /data-acme-0 was replaced: its UID is .*--refresh/);
    const said: string[] = [];
    await set.refresh({ log: (_severity, text) => said.push(text) });
    assert.match(said.join("\n"), new RegExp(`data-acme-0 with UID ${uid} is gone; accepted the one with UID`));
    // The record of the owner has the former one until the next update.
    await isRestored("ownerId");
  });
});

import assert from "node:assert/strict";
import { service, statefulSet, World } from "./world";
import { testKubeconfig } from "./yard";

const GIB = 2 ** 30;

describe("a manifest set with a StatefulSet", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  it("is created, awaited, changed in place and gone without a trace when deleted", async () => {
    const set = world.set();
    const state = await set.up([statefulSet(), service()]);
    assert.deepEqual(state.inventory, [
      `apps/v1/StatefulSet/${world.namespace}/acme`,
      `v1/Service/${world.namespace}/acme`,
    ]);
    assert.equal(state.storageBytes, GIB);
    const live = await world.statefulSet();
    assert.equal(live.status.readyReplicas, 1);
    assert.equal(live.metadata.labels?.["stackyard.dev/set"], "acme");
    const { uid } = (await world.claim("data-acme-0")).metadata;

    await set.up([statefulSet({ image: "example/runtime:1.1.0" }), service()]);
    assert.equal((await world.pod("acme-0")).spec.containers[0].image, "example/runtime:1.1.0");
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
    assert.equal((await world.statefulSet()).metadata.uid, live.metadata.uid);

    await set.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("grows its disk in place: the claim stays, with the policy that collects claims too", async () => {
    const set = world.set();
    await set.up([statefulSet({ replicas: 2 })]);
    const before = await world.claim("data-acme-0");
    const pod = await world.pod("acme-1");
    const state = await set.up([statefulSet({ replicas: 2, storage: "3Gi" })]);
    assert.equal(state.storageBytes, 6 * GIB);
    const after = await world.claim("data-acme-0");
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.equal(after.status.capacity.storage, "3Gi");
    assert.equal((await world.pod("acme-1")).metadata.uid, pod.metadata.uid);
    assert.deepEqual(await set.changes([statefulSet({ replicas: 2, storage: "3Gi" })]), []);

    await set.down();
    assert.deepEqual(await world.everything(), []);
  });
});

import assert from "node:assert/strict";
import { dyingAfter } from "./dying";
import { service, statefulSet, World } from "./world";
import type { TestSet } from "./world";
import { testKubeconfig } from "./yard";

const GIB = 2 ** 30;

/** Returns it as if killed: what the engine knows afterwards is what it knew before. */
async function upDying(set: TestSet, writes: number, objects: readonly object[]): Promise<boolean> {
  const { inputs, state } = set;
  const died = await dyingAfter(writes, () => set.up(objects));
  // As the engine driver leaves the state.
  if (died && state) [set.inputs, set.state] = [inputs, { ...state, interrupted: true }];
  return died;
}

describe("a manifest set with a StatefulSet", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  it("is created, awaited, updated in place and deleted without leftovers", async () => {
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

  it("grows its disk in place and keeps the claim, even with a policy that deletes claims", async () => {
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

  for (const [replicas, pause] of [
    [1, 300],
    [0, 300],
    [1, 0],
  ] as const) {
    it(`continues to grow when killed after any of its writes, at ${replicas} replicas, ${pause} ms later`, async () => {
      const set = world.set();
      await set.up([statefulSet()]);
      const { uid } = (await world.claim("data-acme-0")).metadata;
      if (replicas === 0) await set.up([statefulSet({ replicas })]);
      let size = 1;
      for (let writes = 1; ; writes++) {
        const objects = [statefulSet({ replicas, storage: `${++size}Gi`, cpu: `${size}00m` })];
        const died = await upDying(set, writes, objects);
        // Long enough for the cluster's garbage collector to take what it may take.
        await new Promise((resolve) => setTimeout(resolve, pause));
        const state = await set.up(objects);
        assert.equal(state.storageBytes, size * GIB, `after ${writes} writes`);
        assert.equal((await world.claim("data-acme-0")).metadata.uid, uid, `after ${writes} writes`);
        assert.equal((await world.statefulSet()).spec.persistentVolumeClaimRetentionPolicy.whenDeleted, "Delete");
        if (!died) break;
        assert.ok(writes < 10, "it never ends");
      }
      assert.ok(size > 4, `only ${size - 2} kills`);
      await set.down();
      assert.deepEqual(await world.everything(), []);
    });
  }

  it("is deleted completely after a kill during its recreation", async () => {
    for (let writes = 1; ; writes++) {
      const set = world.set();
      await set.up([statefulSet()]);
      const died = await upDying(set, writes, [statefulSet({ storage: "2Gi" })]);
      await set.down();
      assert.deepEqual(await world.everything(), [], `after ${writes} writes`);
      if (!died) break;
    }
  });

  it("rejects a smaller disk, also in a preview, and changes nothing", async () => {
    const set = world.set();
    await set.up([statefulSet({ storage: "4Gi" })]);
    const { resourceVersion } = (await world.statefulSet()).metadata;
    const smaller = [statefulSet({ storage: "2Gi", image: "example/runtime:2.0.0" })];
    const message = /data: a disk can't become smaller: it has 4 GiB, 2 GiB was requested; request 4 GiB or more/;
    await assert.rejects(set.preview(smaller), message);
    assert.match(await set.fails(smaller), message);
    assert.equal((await world.statefulSet()).metadata.resourceVersion, resourceVersion);
  });

  it("keeps larger disks if allowed and applies other changes", async () => {
    const disk = (storage: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "own" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
    const sized = (gib: number) => [statefulSet({ storage: `${gib}Gi`, cpu: `${gib}00m` }), disk(`${gib}Gi`)];
    const set = world.set({ claimsWhenSmaller: "Keep" });
    assert.equal((await set.up(sized(3))).storageBytes, 6 * GIB);
    const { uid } = (await world.statefulSet()).metadata;

    assert.equal((await set.preview(sized(1))).storageBytes, 6 * GIB);
    for (const claim of ["data", "own"]) {
      assert.match(world.said("info"), new RegExp(`${claim}: it keeps 3 GiB; 1 GiB was requested`));
    }
    assert.equal((await set.up(sized(1))).storageBytes, 6 * GIB);
    const smaller = await world.statefulSet();
    assert.equal(smaller.metadata.uid, uid);
    assert.equal(smaller.spec.template.spec.containers[0].resources.requests.cpu, "100m");
    assert.equal((await world.claim("own")).spec.resources.requests.storage, "3Gi");
    assert.deepEqual(await set.changes(sized(1)), []);
    assert.ok(await set.refresh());
    assert.deepEqual(await set.changes(sized(1)), [], "after a refresh");

    const exact = { claimsWhenSmaller: "Refuse" } as const;
    for (const claim of ["data", "own"]) {
      const message = new RegExp(`${claim}: a disk can't become smaller: it has 3 GiB, 1 GiB .*--disk-gb 3\\)`);
      assert.match(await set.fails(sized(1), exact), message);
    }
    assert.equal((await set.up(sized(2))).storageBytes, 6 * GIB);
    assert.equal((await set.up(sized(4))).storageBytes, 8 * GIB);
    await set.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("rejects growth if the storage class does not support it, and changes nothing", async () => {
    const storageClass = `fixed-${world.namespace}`;
    const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: storageClass };
    const provisioner = "yard.stackyard.dev/disk";
    await world.client.apply({
      apiVersion: ref.apiVersion,
      kind: ref.kind,
      metadata: { name: storageClass },
      provisioner,
    });
    try {
      const set = world.set();
      await set.up([statefulSet({ storageClass })]);
      const { metadata } = await world.statefulSet();
      const larger = [statefulSet({ storageClass, storage: "2Gi" })];
      const message = new RegExp(
        `has 1 GiB and can't grow to the requested 2 GiB: .*${storageClass} does not allow it`,
      );
      await assert.rejects(set.preview(larger), message);
      assert.match(await set.fails(larger), message);
      assert.equal((await world.statefulSet()).metadata.resourceVersion, metadata.resourceVersion);
    } finally {
      await world.client.remove(ref);
    }
  });

  it("accepts a disk that was enlarged by hand", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const claim = world.ref("v1", "PersistentVolumeClaim", "data-acme-0");
    await world.client.merge(claim, { spec: { resources: { requests: { storage: "5Gi" } } } });
    const state = await set.up([statefulSet({ image: "example/runtime:2.0.0" })]);
    assert.equal(state.storageBytes, 5 * GIB);
    assert.match(world.said("info"), /data-acme-0 has 5 GiB, more than the requested 1 GiB; it keeps that size/);
    assert.equal((await set.up([statefulSet({ storage: "5Gi" })])).storageBytes, 5 * GIB);
  });

  it("hibernates without pods and wakes with the same disk and the latest changes", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const { uid } = (await world.claim("data-acme-0")).metadata;
    const state = await set.up([statefulSet({ replicas: 0 })]);
    assert.equal(state.storageBytes, GIB);
    assert.deepEqual(await world.everything(), ["PersistentVolumeClaim data-acme-0", "StatefulSet acme"]);
    const awake = await set.up([statefulSet({ storage: "2Gi", image: "example/runtime:2.0.0" })]);
    assert.equal(awake.storageBytes, 2 * GIB);
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
    assert.equal((await world.pod("acme-0")).spec.containers[0].image, "example/runtime:2.0.0");
  });

  it("rejects scaling to zero if it would delete the disk", async () => {
    const set = world.set();
    await set.up([statefulSet({ whenScaled: "Delete" })]);
    const asleep = [statefulSet({ whenScaled: "Delete", replicas: 0 })];
    assert.match(await set.fails(asleep), /scaling it to 0 would delete its disks.*set it to Retain/);
    await set.up([statefulSet({ whenScaled: "Retain", replicas: 0 })]);
    assert.ok(await world.claim("data-acme-0"));
  });

  it("changes immutable fields and keeps its pods and its disk", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const [claim, pod] = [await world.claim("data-acme-0"), await world.pod("acme-0")];
    await set.up([statefulSet({ spec: { serviceName: "other", podManagementPolicy: "Parallel" } })]);
    assert.equal((await world.statefulSet()).spec.serviceName, "other");
    assert.equal((await world.claim("data-acme-0")).metadata.uid, claim.metadata.uid);
    assert.equal((await world.pod("acme-0")).metadata.uid, pod.metadata.uid);
  });

  it("validates a new template before it deletes the old StatefulSet", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const { uid } = (await world.statefulSet()).metadata;
    const wrong = statefulSet({ storage: "2Gi" });
    wrong.spec.volumeClaimTemplates.push({
      metadata: { name: "logs" },
      spec: { accessModes: [], resources: { requests: { storage: "1Gi" } } },
    });
    assert.match(await set.fails([wrong]), /volumeClaimTemplates\[1\].*accessModes.*nothing was changed/s);
    assert.equal((await world.statefulSet()).metadata.uid, uid);
    assert.equal((await world.claim("data-acme-0")).status.capacity.storage, "1Gi");
  });

  it("tracks its disk when its selector changes", async () => {
    const set = world.set();
    const widened = (storage: string) => {
      const one = statefulSet({ storage });
      Object.assign(one.spec.template.metadata.labels, { tier: "one" });
      return one;
    };
    await set.up([widened("1Gi")]);
    const { uid } = (await world.claim("data-acme-0")).metadata;
    const narrowed = widened("2Gi");
    Object.assign(narrowed.spec, { selector: { matchLabels: { tier: "one" } } });
    assert.equal((await set.up([narrowed])).storageBytes, 2 * GIB);
    const larger = widened("3Gi");
    Object.assign(larger.spec, { selector: { matchLabels: { tier: "one" } } });
    assert.equal((await set.up([larger])).storageBytes, 3 * GIB);
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
    await set.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("changes the selector while it hibernates and wakes with its disk", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const { uid } = (await world.claim("data-acme-0")).metadata;
    await set.up([statefulSet({ replicas: 0 })]);
    const renamed = (replicas: number) => {
      const one = statefulSet({ replicas, spec: { selector: { matchLabels: { app: "b" } } } });
      one.spec.template.metadata.labels.app = "b";
      return one;
    };
    await set.up([renamed(0)]);
    assert.deepEqual((await world.statefulSet()).spec.selector, { matchLabels: { app: "b" } });
    assert.equal((await set.up([renamed(1)])).storageBytes, GIB);
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
    await set.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("rejects changes that would orphan its pods or its disk", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    const stranded = statefulSet();
    Object.assign(stranded.spec, { selector: { matchLabels: { app: "b" } } });
    stranded.spec.template.metadata.labels.app = "b";
    assert.match(await set.fails([stranded]), /new spec.selector does not match the labels of its pods/);

    const renamed = statefulSet();
    renamed.spec.volumeClaimTemplates[0]!.metadata.name = "disk";
    assert.match(await set.fails([renamed]), /volumeClaimTemplate data is gone .* hold data: data-acme-0/);

    const otherClass = [statefulSet({ storageClass: "faster" })];
    assert.match(await set.fails(otherClass), /changes storageClassName from .*claims can't follow: data-acme-0/);
    assert.ok(await world.pod("acme-0"));
  });
});

describe("the claims of a deleted manifest set", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const gone = async (): Promise<string[]> => {
    // The garbage collector would take a claim that still refers to a StatefulSet within this time.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return world.everything();
  };

  it("are kept by the StatefulSet's policy, with a hint how to delete them", async () => {
    const set = world.set();
    await set.up([statefulSet({ whenDeleted: "Retain" })]);
    await set.down();
    assert.deepEqual(await gone(), ["PersistentVolumeClaim data-acme-0"]);
    assert.match(world.said("info"), /kept .*data-acme-0 \(1 GiB.*stackyard runtime disks --remove \S+\/data-acme-0/);
  });

  it("are kept by the set's policy and can be used by a new set that names them", async () => {
    const set = world.set({ claimsWhenDeleted: "Retain" });
    await set.up([statefulSet()]);
    const { uid } = (await world.claim("data-acme-0")).metadata;
    await set.down();
    assert.deepEqual(await gone(), ["PersistentVolumeClaim data-acme-0"]);
    const state = await world.set().up([statefulSet({ storage: "2Gi" })], { disk: "data-acme-0" });
    assert.equal(state.storageBytes, 2 * GIB);
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
  });

  it("are deleted by the set's policy, even after the pods were scaled to zero", async () => {
    const set = world.set();
    await set.up([statefulSet({ whenDeleted: "Retain" })]);
    await set.up([statefulSet({ whenDeleted: "Retain", replicas: 0 })]);
    await set.up([statefulSet({ whenDeleted: "Retain", replicas: 0 })], { claimsWhenDeleted: "Delete" });
    await set.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("are kept if the policy became Retain while the pods were scaled to zero", async () => {
    const set = world.set();
    await set.up([statefulSet()]);
    await set.up([statefulSet({ replicas: 0 })]);
    await set.up([statefulSet({ replicas: 0, whenDeleted: "Retain" })]);
    await set.down();
    assert.deepEqual(await gone(), ["PersistentVolumeClaim data-acme-0"]);
  });
});

import assert from "node:assert/strict";
import { configMap, deployment, service, statefulSet, World } from "./world";
import { testKubeconfig } from "./yard";

describe("the lifecycle of a manifest set", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const there = (name: string) => world.client.get(world.ref("v1", "ConfigMap", name));

  it("deletes removed objects once the new ones are ready", async () => {
    const set = world.set({ timeoutSeconds: 3 });
    await set.up([configMap("a"), configMap("b"), deployment({ name: "old" })]);
    const broken = deployment({ name: "new", image: "example/runtime:missing" });
    await set.fails([configMap("a"), broken]);
    assert.ok(await there("b"), "the old object went though the new one was not ready");
    assert.equal(set.state?.inventory?.length, 4);
    await set.up([configMap("a"), deployment({ name: "new" })]);
    assert.equal(await there("b"), undefined);
    assert.deepEqual(
      (await world.everything()).filter((one) => one.startsWith("Deployment")),
      ["Deployment new"],
    );
    assert.equal(set.state?.inventory?.length, 2);
  });

  it("previews its objects and creates nothing", async () => {
    const state = await world.set().preview([configMap("a"), service()]);
    assert.deepEqual(state.inventory, [`v1/ConfigMap/${world.namespace}/a`, `v1/Service/${world.namespace}/acme`]);
    assert.equal(state.storageBytes, null);
    assert.equal(await there("a"), undefined);
  });

  it("detects missing and changed objects with a refresh and fixes them", async () => {
    const objects = [configMap("a"), configMap("b"), statefulSet(), service(), deployment({ name: "web", cpu: "0.5" })];
    const set = world.set();
    await set.up(objects);
    assert.ok(await set.refresh());
    assert.deepEqual(await set.changes(objects), []);

    await world.client.remove(world.ref("v1", "ConfigMap", "b"));
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { data: { a: "changed", other: "theirs" } });
    await world.client.merge(world.ref("apps/v1", "StatefulSet", "acme"), { spec: { replicas: 2 } });
    assert.ok(await set.refresh());
    assert.deepEqual((await set.changes(objects)).slice(0, 2), ["objects[0].data.a", "objects[1]"]);
    await set.up(objects);
    assert.equal((await there("a"))?.["data"]?.["a" as never], "b");
    assert.ok(await there("b"));
    assert.equal((await world.statefulSet()).spec.replicas, 1);
    assert.ok(await set.refresh());
    assert.deepEqual(await set.changes(objects), []);
  });

  it("detects leftovers of a failed update with a refresh, so that the next update deletes them", async () => {
    const set = world.set({ timeoutSeconds: 2 });
    await set.up([configMap("a"), configMap("b")]);
    const broken = deployment({ image: "example/runtime:missing" });
    await set.fails([configMap("a"), broken]);
    await set.refresh();
    assert.deepEqual(await set.changes([configMap("a"), broken]), ["objects[2]"]);
  });

  it("rejects an import with a reason", async () => {
    const { manifestSet } = await import("../../../provider/resources/manifestSet/manifestSet.js");
    const nothing = { inputs: {}, state: {} } as never;
    await assert.rejects(manifestSet.read(world.context(), "x", nothing), /a ManifestSet can't be imported/);
  });

  it("includes its own namespaces and kinds and objects that need them", async () => {
    const group = `${world.namespace}.example.com`;
    const objects = [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: `${world.namespace}-own` } },
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: "Namespaced",
          names: { plural: "things", singular: "thing", kind: "Thing" },
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer" } } } },
            },
          ],
        },
      },
      { ...configMap("inside"), metadata: { name: "inside", namespace: `${world.namespace}-own` } },
      { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "one" }, size: 1 },
    ];
    const set = world.set({ timeoutSeconds: 60 });
    assert.equal((await set.preview(objects)).inventory?.length, 4);
    await set.up(objects);
    await set.up(objects.map((object) => (object.kind === "Thing" ? { ...object, size: 2 } : object)));
    assert.equal((await world.must(world.ref(`${group}/v1`, "Thing", "one")))["size"], 2);
    await set.down();
    assert.equal(
      await world.client.get({ apiVersion: "v1", kind: "Namespace", name: `${world.namespace}-own` }),
      undefined,
    );
  });

  it("waits for a late-binding claim only together with its first pod", async () => {
    const storageClass = `late-${world.namespace}`;
    const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: storageClass };
    await world.client.apply({
      apiVersion: ref.apiVersion,
      kind: ref.kind,
      metadata: { name: storageClass },
      provisioner: "yard.stackyard.dev/disk",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    });
    const claim = (storage: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "disk" },
      spec: { storageClassName: storageClass, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
    const volumes = [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }];
    const workload = (replicas: number) => deployment({ replicas, pod: { volumes } });
    try {
      const set = world.set({ timeoutSeconds: 30 });
      assert.equal((await set.up([claim("1Gi"), workload(0)])).storageBytes, 0);
      assert.equal((await set.up([claim("1Gi"), workload(1)])).storageBytes, 2 ** 30);
      assert.equal((await set.up([claim("2Gi"), workload(1)])).storageBytes, 2 * 2 ** 30);
      assert.match(
        await set.fails([claim("1Gi"), workload(1)]),
        /PersistentVolumeClaim \S+\/disk: a disk can't become smaller/,
      );
      await set.up([claim("2Gi"), workload(1)], { claimsWhenDeleted: "Retain" });
      await set.down();
      assert.deepEqual(await world.everything(), ["PersistentVolumeClaim disk"]);
      assert.match(world.said("info"), /kept PersistentVolumeClaim \S+\/disk \(2 GiB/);
    } finally {
      await world.client.remove(ref);
    }
  });

  it("names the finalizer that blocks a deletion and continues on the next attempt", async () => {
    const set = world.set({ timeoutSeconds: 2 });
    await set.up([{ ...configMap("a"), metadata: { name: "a", finalizers: ["example.com/hold"] } }]);
    await assert.rejects(
      set.down(),
      /not gone after 2 seconds:\n- ConfigMap \S+\/a: held by its finalizers .*example.com\/hold/,
    );
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { metadata: { finalizers: null } });
    await set.down();
  });

  it("keeps an object whose label names another set", async () => {
    const set = world.set();
    await set.up([configMap("a"), configMap("b")]);
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), {
      metadata: { labels: { "stackyard.dev/set": "other" } },
    });
    await set.down();
    assert.ok(await there("a"));
    assert.equal(await there("b"), undefined);
    assert.match(world.said("warning"), /left ConfigMap \S+\/a alone: its labels do not name set \S+\/acme any more/);
  });

  it("can be deployed again while it is being deleted", async () => {
    const set = world.set({ timeoutSeconds: 20 });
    await set.up([statefulSet(), service()]);
    const { inputs, state, id } = set;
    await assert.rejects(set.down({ signal: AbortSignal.timeout(15) }));
    [set.inputs, set.state, set.id] = [inputs, state, id];
    await set.up([statefulSet(), service()]);
    assert.equal((await world.statefulSet()).metadata.deletionTimestamp, undefined);
    assert.equal((await world.pod("acme-0")).metadata.deletionTimestamp, undefined);
  });

  it("applies a thousand objects in seconds", async () => {
    const objects = (value: string) =>
      Array.from({ length: 1000 }, (_, index) => configMap(`many-${index}`, { index: `${index}`, value }));
    const set = world.set({ timeoutSeconds: 120 });
    const times: string[] = [];
    const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      const started = Date.now();
      await work();
      times.push(`${what} ${((Date.now() - started) / 1000).toFixed(1)} s`);
    };
    await timed("created in", () => set.up(objects("1")));
    await timed("applied unchanged in", () => set.up(objects("1")));
    await timed("found unchanged in", async () => assert.deepEqual(await set.changes(objects("1")), []));
    await timed("changed in", () => set.up(objects("2")));
    await timed("refreshed in", () => set.refresh());
    await timed("deleted in", () => set.down());
    console.log(`      1,000 ConfigMaps: ${times.join(", ")}`);
  });
});

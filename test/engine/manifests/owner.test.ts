import assert from "node:assert/strict";
import type { SetState } from "../../../kubernetes/apply/set";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { configMap, service, statefulSet, World, type TestSet } from "./world";
import { testKubeconfig } from "./yard";

describe("the owner of a manifest set's objects", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const there = (name: string) => world.client.get(world.ref("v1", "ConfigMap", name));
  const idOn = async (name: string) => (await there(name))?.metadata.annotations?.[OWNER_ANNOTATION];

  /** As a version without owner ids would have left it. */
  const asBefore = async (set: TestSet, names: readonly string[]): Promise<void> => {
    set.state = { ...(set.state as SetState), ownerId: undefined };
    const annotations = { [OWNER_ANNOTATION]: null };
    for (const name of names)
      await world.client.merge(world.ref("v1", "ConfigMap", name), { metadata: { annotations } });
  };

  it("is the instance that applied them last: an older one leaves them alone, their pods and disks too", async () => {
    const objects = [configMap("a"), statefulSet(), service()];
    const [first, second] = [world.set(), world.set()];
    await first.up(objects);
    const [pod, claim] = [(await world.pod("acme-0")).metadata.uid, (await world.claim("data-acme-0")).metadata.uid];
    assert.equal(await idOn("a"), first.state?.ownerId);
    await second.up(objects);
    assert.equal(await idOn("a"), second.state?.ownerId);
    assert.ok(await first.refresh());
    assert.deepEqual(await first.changes(objects), []);
    assert.match(
      world.said("info"),
      /ConfigMap \S+\/a: its annotation stackyard.dev\/owner-id names another owner of set/,
    );
    // Made again around its pods at this very moment.
    const set = world.ref("apps/v1", "StatefulSet", "acme");
    await world.client.remove(set, { propagationPolicy: "Orphan" });
    await first.down();
    assert.match(world.said("warning"), /left Service \S+\/acme alone: its annotation .* names another owner/);
    await second.up([...objects, configMap("b")]);
    assert.equal((await world.pod("acme-0")).metadata.uid, pod);
    assert.equal((await world.claim("data-acme-0")).metadata.uid, claim);
    await second.down();
    assert.deepEqual(await world.everything(), []);
    assert.equal(await there("a"), undefined);
  });

  it("changes no object that left a set when another instance has it", async () => {
    const [first, second] = [world.set(), world.set()];
    await first.up([configMap("a"), configMap("b")]);
    await second.up([configMap("b")]);
    await first.up([configMap("a")]);
    assert.ok(await there("b"));
    // One that lost its state takes over what it had made.
    const again = world.set();
    await again.up([configMap("a"), configMap("b")]);
    await second.down();
    assert.ok(await there("b"));
    await again.down();
    assert.deepEqual([await there("a"), await there("b")], [undefined, undefined]);
  });

  it("is not asked for where a state of before has none, and is known after an update that was killed", async () => {
    const objects = [configMap("a"), configMap("b")];
    const set = world.set();
    await set.up(objects);
    await asBefore(set, ["a", "b"]);
    assert.ok(await set.refresh());
    assert.deepEqual(await set.changes(objects), []);
    const before = set.state;
    await set.up([configMap("a", { a: "c" }), configMap("b")]);
    assert.ok((await idOn("a")) === set.state?.ownerId);
    set.state = before;
    await set.down();
    assert.deepEqual([await there("a"), await there("b")], [undefined, undefined]);
  });

  it("is a newer one than that of a state of before, when there is any", async () => {
    const [first, second] = [world.set(), world.set()];
    await first.up([configMap("a"), configMap("b")]);
    await asBefore(first, ["a", "b"]);
    await second.up([configMap("a")]);
    await first.down();
    assert.ok(await there("a"));
    assert.equal(await there("b"), undefined);
  });

  it("keeps a namespace that holds objects of another set", async () => {
    const name = `${world.namespace}-shared`;
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const inside = { ...configMap("inside"), metadata: { name: "inside", namespace: name } };
    const [house, tenant] = [world.set({ name: "house" }), world.set({ name: "tenant" })];
    await house.up([namespace, { ...configMap("own"), metadata: { name: "own", namespace: name } }]);
    await tenant.up([inside]);
    await house.down();
    assert.match(world.said("info"), /left Namespace \S+ alone: it holds ConfigMap \S+\/inside, which is not of set/);
    assert.ok(await world.client.get({ apiVersion: "v1", kind: "ConfigMap", namespace: name, name: "inside" }));
    const again = world.set({ name: "house" });
    await again.up([namespace]);
    await tenant.down();
    await again.down();
    assert.equal(await world.client.get({ apiVersion: "v1", kind: "Namespace", name }), undefined);
  });
});

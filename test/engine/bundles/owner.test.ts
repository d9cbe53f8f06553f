import assert from "node:assert/strict";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import type { ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { parentRef } from "../../../provider/resources/bundleRelease/applySet";
import { UNKNOWN, type Properties } from "../../../foundation/pulumi/resource";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { RECORD_LABEL, recordOn } from "../../../kubernetes/owners/annotations";
import { offerTo } from "../../../kubernetes/owners/record";
import { offerOwner } from "../../../kubernetes/owners/store";
import { configMap, statefulSet } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { messageOf, World, type Release } from "./world";

describe("the owner of a release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const at = (stack: string): Release => world.release("shop", {}, stack);
  const annotationsOf = async (name: string) => (await world.there("ConfigMap", name))?.metadata.annotations ?? {};
  const idOn = async (name: string) => (await annotationsOf(name))[OWNER_ANNOTATION];
  const noteOf = async () => (await world.there("ConfigMap", "bundle-shop")) ?? assert.fail("there is no note");
  const files = { "01_a.yaml": [configMap("a"), statefulSet()] };
  const changed = { "01_a.yaml": [configMap("a", { now: "changed" }), statefulSet()] };

  /** As its creation leaves the note when its engine is killed. */
  const asKilled = () =>
    world.client.merge(parentRef({ name: "shop", namespace: world.namespace }), {
      metadata: { annotations: { "stackyard.dev/owner-phase": "applying" } },
    });

  /** As a version without records would have left it; without `ids`, one without owner ids. */
  const asBefore = async (release: Release, ids: boolean): Promise<void> => {
    const { ownerId, ...state } = release.state as ReleaseState;
    release.state = { ...state, generation: undefined, ...(ids && { ownerId }) };
    for (const name of await world.configMaps()) {
      const found = Object.keys(await annotationsOf(name)).filter((key) => key.startsWith("stackyard.dev/owner-"));
      const gone = found.filter((key) => !ids || key !== OWNER_ANNOTATION).map((key) => [key, null]);
      const metadata = { annotations: Object.fromEntries(gone) as object, labels: { [RECORD_LABEL]: null } };
      await world.client.merge(world.ref("v1", "ConfigMap", name), { metadata });
    }
  };

  const offered = async (stack: string): Promise<void> => {
    const object = await noteOf();
    const record = recordOn(object) ?? assert.fail("the note has no record");
    await offerOwner(world.client, { object, record }, offerTo({ stack, backend: record.backend }));
  };

  it("is recorded before anything is applied; a second stack is rejected in preview and update", async () => {
    world.backend = "s3://states";
    const [first, second] = [at("one"), at("two")];
    await first.up(files);
    const { uid } = (await world.there("ConfigMap", "a"))?.metadata ?? {};
    const refused =
      /^bundle \S+\/shop belongs to stack platform\/one in s3:\/\/states, .*generation 1.*: stackyard adopt \S+\/shop --stack two$/;
    assert.match(await messageOf(second.preview(changed)), refused);
    assert.match(await second.fails(changed), refused);
    const inputs = { ...(await second.check(changed)), secretValues: UNKNOWN } as unknown as Properties;
    const preview = bundleRelease.create(second.context({ preview: true }), inputs as never);
    assert.match(await messageOf(preview), refused);
    world.backend = "s3://copied";
    assert.match(await at("one").fails(changed), /belongs to stack platform\/one in s3:\/\/states/);
    const live = await world.there("ConfigMap", "a");
    assert.deepEqual([live?.metadata.uid, live?.["data"]], [uid, configMap("a")["data"]]);
    assert.equal(await idOn("a"), first.state?.ownerId);
    assert.deepEqual(await first.changes(files), []);
    assert.equal((await first.up(changed)).generation, 2); // Also from another backend: the state proves it.
    await first.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("is one of two concurrent stacks", async () => {
    const both = [at("one"), at("two")];
    const ended = await Promise.allSettled(both.map((release) => release.up(files)));
    assert.deepEqual(ended.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const winner = both[ended.findIndex(({ status }) => status === "fulfilled")];
    assert.equal(await idOn("a"), winner?.state?.ownerId);
    await winner?.down();
  });

  it("changes after an offer; the former owner then leaves everything alone", async () => {
    const [first, second] = [at("one"), at("two")];
    await first.up(files);
    const claim = world.ref("v1", "PersistentVolumeClaim", "data-acme-0");
    const uid = (await world.client.get(claim))?.metadata.uid;
    await offered("platform/two");
    const before = first.state;
    assert.equal((await second.up(changed)).generation, 2);
    assert.equal(await idOn("a"), second.state?.ownerId);
    assert.doesNotMatch(JSON.stringify((await noteOf()).metadata.annotations), /former|offered/);
    assert.match(await first.fails(files), /belongs to stack platform\/two/);
    assert.ok(await first.refresh());
    assert.deepEqual(first.state, before);
    assert.match(world.said("warning"), /belongs to stack platform\/two .*The state of this stack stays as it is/);
    await first.down();
    assert.match(world.said("warning"), /^left ConfigMap \S+ alone: bundle \S+\/shop belongs to stack platform\/two/m);
    assert.equal((await world.client.get(claim))?.metadata.uid, uid);
    assert.deepEqual(await second.changes(changed), []);
    await second.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("rejects a restored checkpoint until a refresh has read the current state", async () => {
    const release = at("one");
    await release.up(files);
    const [inputs, state] = [release.inputs, release.state];
    await release.up({ "01_a.yaml": [configMap("a", { now: "changed" }), configMap("b"), statefulSet()] });
    [release.inputs, release.state] = [inputs, state];
    const stale = /has generation 2, and the state of stack platform\/one .* is older \(generation 1\)/;
    assert.match(await messageOf(release.preview(changed)), stale);
    assert.match(await release.fails(changed), stale);
    assert.match(await messageOf(release.down()), stale);
    assert.ok(await world.there("ConfigMap", "b"));
    assert.ok(await release.refresh());
    assert.equal(release.state?.generation, 2);
    await release.up(files);
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
    await release.down();
  });

  it("continues after the engine was killed before it stored the result", async () => {
    const release = at("one");
    await release.up(files);
    const [inputs, state] = [release.inputs, release.state as ReleaseState];
    await release.up(changed);
    [release.inputs, release.state] = [inputs, { ...state, interrupted: true }];
    assert.equal((await release.up(changed)).generation, 3);
    assert.equal(release.state?.interrupted, undefined);
    await release.down();
  });

  it("takes over objects of its own stack's killed creation, repeatedly", async () => {
    await at("one").up({ "01_a.yaml": [configMap("a"), configMap("b")] });
    await asKilled();
    const broken = { ...configMap("c"), data: { wrong: { not: "text" } } };
    await assert.rejects(at("one").up({ "01_c.yaml": broken }));
    assert.match(await at("two").fails({ "01_c.yaml": configMap("c") }), /belongs to stack platform\/one/);
    const last = at("one");
    await last.up({ "01_c.yaml": configMap("c") });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "c"]);
    assert.doesNotMatch(JSON.stringify(await annotationsOf("bundle-shop")), /former/);
    await last.down();
  });

  it("changes to a replacement in the same stack, even a forced one; the old release deletes nothing", async () => {
    const old = at("one");
    await old.up(files);
    for (const isForced of [false, true]) {
      const context = old.context();
      const next = at("one");
      const inputs = await next.check(changed);
      const earlier = { inputs: old.inputs as never, state: old.state as never };
      await bundleRelease.check(context, inputs as never, { old: earlier.inputs, seed: "" });
      if (!isForced) await bundleRelease.diff(context, old.id, earlier, inputs);
      const made = await bundleRelease.create(context, inputs);
      [next.id, next.inputs, next.state] = [made.id, inputs, made.state];
      world.logged.length = 0;
      await old.down({ signal: context.signal });
      assert.match(world.said("info"), /^left ConfigMap \S+ alone: /m);
      assert.equal(world.said("warning"), "");
      assert.equal(await idOn("a"), next.state.ownerId);
      [old.id, old.inputs, old.state] = [next.id, next.inputs, next.state];
    }
    await old.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("does not change to a replacement whose old state is stale", async () => {
    const old = at("one");
    await old.up(files);
    const earlier = { inputs: old.inputs as never, state: old.state as never };
    await old.up(changed);
    const context = old.context();
    const inputs = await old.check(files);
    await bundleRelease.diff(context, old.id, earlier, inputs);
    await assert.rejects(bundleRelease.create(context, inputs), /belongs to stack platform\/one/);
  });

  it("of a state without records is matched by its owner id, or without one", async () => {
    for (const ids of [true, false]) {
      const release = at("one");
      await release.up(files);
      await asBefore(release, ids);
      assert.ok(await release.refresh());
      assert.deepEqual(await release.changes(files), []);
      world.logged.length = 0;
      await release.preview(changed);
      assert.doesNotMatch(world.said("info"), /owner-id/);
      const before = release.state;
      assert.equal((await release.up(changed)).generation, 1);
      assert.equal(await idOn("a"), release.state?.ownerId);
      await asKilled();
      release.state = before;
      await release.down();
      assert.deepEqual(await world.configMaps(), []);
    }
  });

  it("of another state without records is rejected by its owner id", async () => {
    const first = at("one");
    await first.up(files);
    await asBefore(first, true);
    const id = first.state?.ownerId ?? "";
    for (const message of [await messageOf(at("one").preview(files)), await at("one").fails(files)])
      assert.match(message, new RegExp(`belongs to another owner: its owner id is ${id}\\..*: stackyard adopt `));
    const second = at("one");
    [second.id, second.inputs, second.state] = [first.id, first.inputs, { ...first.state!, ownerId: "other-id" }];
    await second.down();
    assert.match(world.said("warning"), /left .*its owner id is/);
    await first.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("is read from the objects if the record is missing", async () => {
    const first = at("one");
    await first.up(files);
    await world.client.remove(parentRef({ name: "shop", namespace: world.namespace }));
    assert.match(await messageOf(at("two").preview(files)), /ConfigMap \S+\/a belongs to another owner of bundle/);
    assert.match(
      await at("two").fails(files),
      /ConfigMap \S+\/a belongs to another owner of bundle \S+: its owner id is/,
    );
    assert.equal(await world.there("ConfigMap", "bundle-shop"), undefined);
    assert.equal((await first.up(changed)).generation, 2);
    await first.down();
  });

  it("is kept by a refresh that finds no objects", async () => {
    const release = at("one");
    await release.up({ "01_a.yaml": configMap("a") });
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`ConfigMap ${world.namespace}/a is missing`]);
    await release.up({ "01_a.yaml": configMap("a") });
    assert.ok(await world.there("ConfigMap", "a"));
    await release.down();
  });
});

describe("the note of a release", () => {
  it("cannot be adopted by another release and stays usable", async () => {
    const world = await new World(await testKubeconfig()).open();
    try {
      const one = world.release("one");
      await one.up({ "01_a.yaml": configMap("a") });
      const note = { "01_note.yaml": configMap("bundle-one", { digest: "mine" }) };
      const adopt = [`v1/ConfigMap/${world.namespace}/bundle-one`, `from bundle ${world.namespace}/one`];
      for (const more of [{}, { adopt }]) {
        const message = await world.release("two").fails(note, more);
        assert.match(message, /ConfigMap \S+\/bundle-one records who owns bundle \S+\/one/);
        assert.doesNotMatch(message, /adopt/);
      }
      await one.up({ "01_a.yaml": configMap("a", { b: "c" }) });
      await one.down();
      assert.deepEqual(await world.configMaps(), []);
    } finally {
      await world.close();
    }
  });
});

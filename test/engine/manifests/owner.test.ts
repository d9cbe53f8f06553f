import assert from "node:assert/strict";
import { Client } from "../../../kubernetes/client/client";
import { SET_LABEL, SET_NAMESPACE_LABEL } from "../../../kubernetes/owners/ownership";
import { dataGuard } from "../../../provider/resources/dataGuard/dataGuard";
import type { PartOwner } from "../../../provider/resources/dataGuard/inputs";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { withRecord } from "../../../kubernetes/owners/annotations";
import { offerTo, stackOf } from "../../../kubernetes/owners/record";
import { offerOwner, readOwner, recordRef, type Held } from "../../../kubernetes/owners/store";
import { setKind } from "../../../engine/orphans/cluster";
import type { SetOrphan } from "../../../engine/orphans/orphan";
import { manifestSet } from "../../../provider/resources/manifestSet/manifestSet";
import { configMap, service, statefulSet, TestSet, World } from "./world";
import { testKubeconfig } from "./yard";

describe("the ownership of a manifest set", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const there = (name: string) => world.client.get(world.ref("v1", "ConfigMap", name));
  const idOn = async (name: string) => (await there(name))?.metadata.annotations?.[OWNER_ANNOTATION];

  /** As a version without owner ids would have left it. */
  const asBefore = async (set: TestSet, names: readonly string[]): Promise<void> => {
    set.state = { ...(set.state as SetState), ownerId: undefined, generation: undefined };
    await world.client.remove(world.ref("v1", "ConfigMap", "acme.owner"));
    const annotations = { [OWNER_ANNOTATION]: null };
    for (const name of names)
      await world.client.merge(world.ref("v1", "ConfigMap", name), { metadata: { annotations } });
  };

  const recordOf = () => world.client.get(world.ref("v1", "ConfigMap", "acme.owner"));

  it("is recorded with the objects and claims, and its generation rises with every change", async () => {
    const set = world.set();
    await set.up([configMap("a"), statefulSet(), service()]);
    assert.equal(set.state?.generation, 1);
    const { annotations = {} } = (await recordOf())?.metadata ?? {};
    assert.equal(annotations["stackyard.dev/owner-stack"], "stackyard/test");
    assert.equal(annotations["stackyard.dev/owner-phase"], "applied");
    const { uid } = (await world.claim("data-acme-0")).metadata;
    assert.deepEqual(JSON.parse(annotations["stackyard.dev/owner-claims"] ?? ""), {
      [`${world.namespace}/data-acme-0`]: uid,
    });
    await set.up([configMap("a", { a: "c" }), statefulSet(), service()]);
    assert.equal(set.state?.generation, 2);
    await set.down();
    assert.equal(await recordOf(), undefined);
  });

  it("rejects another stack's preview and update; that stack's deletion deletes nothing", async () => {
    const objects = [configMap("a"), statefulSet(), service()];
    const [first, second] = [world.set(), world.set({}, "copy")];
    await first.up(objects);
    const claim = (await world.claim("data-acme-0")).metadata.uid;
    const refusal =
      /set \S+\/acme belongs to stack stackyard\/test in .*\. To take it over on purpose: stackyard adopt/;
    await assert.rejects(second.preview(objects), refusal);
    assert.match(await second.fails(objects), refusal);
    assert.equal(await idOn("a"), first.state?.ownerId);
    // As a version without records left the second stack.
    [second.inputs, second.state] = [first.inputs, { ...(first.state as SetState), ownerId: "b", generation: 0 }];
    await second.down();
    assert.match(
      world.said("warning"),
      /left ConfigMap \S+\/acme\.owner alone: set \S+ belongs to stack stackyard\/test/,
    );
    assert.equal((await world.claim("data-acme-0")).metadata.uid, claim);
    assert.deepEqual(await first.changes(objects), []);
    await first.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("rejects the same stack after its state was lost", async () => {
    await world.set().up([configMap("a")]);
    const again = world.set();
    assert.match(await again.fails([configMap("a", { a: "c" })]), /belongs to stack stackyard\/test/);
    assert.equal((await there("a"))?.["data"] && (await idOn("a")) !== undefined, true);
  });

  it("passes to a replacement in the same run; the old set deletes none of the new objects", async () => {
    const objects = [configMap("a"), configMap("b")];
    const old = world.set();
    await old.up(objects);
    const { signal } = new AbortController();
    const context = old.context({ signal });
    await manifestSet.check(
      context,
      { ...old.inputs },
      { old: { ...old.inputs, instance: old.state?.ownerId }, seed: "" },
    );
    const next = world.set();
    await next.up([configMap("a")], {}, { signal });
    await old.down();
    assert.ok(await there("a"));
    assert.equal(await there("b"), undefined);
    assert.match(world.said("warning"), /left ConfigMap \S+\/a alone: its annotation .* names another owner/);
    await next.up([configMap("a", { a: "c" })]);
    await next.down();
    assert.deepEqual([await there("a"), await recordOf()], [undefined, undefined]);
  });

  it("passes to the stack that it is offered to; the former owner changes and deletes nothing", async () => {
    const [first, second] = [world.set(), world.set({}, "new")];
    await first.up([configMap("a")]);
    const { backend } = world;
    const found = await readOwner(world.client, { ...recordRef(first.inputs as SetInputs) });
    await offerOwner(world.client, found as Held, offerTo({ stack: "stackyard/new", backend }));
    await second.preview([configMap("a", { a: "c" })]);
    await second.up([configMap("a", { a: "c" })]);
    assert.equal(await idOn("a"), second.state?.ownerId);
    assert.match(await first.fails([configMap("a", { a: "d" })]), /belongs to stack stackyard\/new/);
    assert.deepEqual(await first.changes([configMap("a")]), []);
    await first.refresh();
    assert.deepEqual(await first.changes([configMap("a")]), ["ownerId"]);
    assert.match(await first.fails([configMap("a")]), /belongs to stack stackyard\/new/);
    await first.down();
    assert.ok(await there("a"));
    await second.down();
    assert.equal(await there("a"), undefined);
  });

  it("passes to only one of two stacks that adopt it at the same moment", async () => {
    const first = world.set();
    await first.up([configMap("a")]);
    const adopt = first.state?.ownerId;
    const [second, third] = [world.set({ adopt }, "new"), world.set({ adopt }, "third")];
    const { record } = (await readOwner(world.client, { ...recordRef(first.inputs as SetInputs) })) as Held;
    const way = { kubeconfig: await testKubeconfig(), context: undefined, cluster: "here" };
    const seen = { ...first.inputs, way, set: "acme", record } as unknown as SetOrphan;
    const offer = (set: TestSet) =>
      setKind.offer?.(seen, offerTo(stackOf({ urn: set.urn, backend: world.backend }))) ?? assert.fail();
    await second.preview([configMap("a")]);
    await offer(second);
    await offer(third);
    assert.match(await second.fails([configMap("a")]), /belongs to stack stackyard\/test/);
    await third.up([configMap("a")]);
    await assert.rejects(offer(second), /stackyard\/third/);
    assert.deepEqual(await third.changes([configMap("a")]), []);
  });

  it("passes to only one of two stacks that adopt or update it at the same moment before it had a record", async () => {
    for (const how of ["adopt", "update"]) {
      for (let round = 0; round < 4; round++) {
        const first = world.set();
        await first.up([configMap("a")]);
        // As a version without records left it.
        await world.client.remove(recordRef(first.inputs as SetInputs));
        const old = { ...(first.state as SetState), generation: 0 };
        const sets = ["new", "third"].map((stack) => {
          const set = world.set(how === "adopt" ? { adopt: old.ownerId } : {}, stack);
          if (how === "update") [set.inputs, set.state] = [first.inputs, old];
          return set;
        });
        const ends = await Promise.allSettled(sets.map((set) => set.up([configMap("a", { a: how })])));
        const lost = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
        assert.equal(lost.length, 1, `${how}: ${lost.length} failed`);
        const winner = sets[ends.findIndex(({ status }) => status === "fulfilled")];
        assert.match(
          lost[0] ?? "",
          new RegExp(`belongs to stack ${stackOf({ ...world, urn: winner?.urn ?? "" }).stack} in `),
        );
        await winner?.down();
        assert.equal(await there("a"), undefined);
      }
    }
  });

  it("is that of a Helm release beside it, which the guard of another stack does not let go", async () => {
    const first = world.set();
    await first.up([configMap("a")]);
    const { ownerId: id = "", generation = 0 } = first.state as SetState;
    const part = (owner: Partial<PartOwner>) => ({
      ...({ kubeconfig, type: "release", namespace: world.namespace, name: "hub" } as const),
      owner: { set: "acme", id, generation, urn: "urn:release", ...owner },
    });
    const destroy = (owner: Partial<PartOwner>, by = first) =>
      dataGuard.delete(by.context(), "id", { inputs: { parts: [part(owner)] }, state: {} });
    const kubeconfig = await testKubeconfig();
    const other =
      /Helm release \S+\/hub belongs to stack stackyard\/test in .* adopt \S+\/acme --stack .* forget it: .* 'urn:release'; then/;
    await assert.rejects(destroy({ id: "another" }), other);
    await first.up([configMap("a", { a: "c" })]);
    await assert.rejects(destroy({}, world.set({}, "new")), other, "a copy of an older state");
    await assert.rejects(destroy({}), /Helm release \S+\/hub is gone from the cluster/);
    const labels = { owner: "helm", name: "hub", version: "1", status: "deployed" };
    const metadata = { name: "sh.helm.release.v1.hub.v1", namespace: world.namespace, labels };
    await world.client.apply({ apiVersion: "v1", kind: "Secret", metadata });
    await destroy({});
    await destroy({ generation: generation + 1 });
    await destroy({ id: "another", generation: 0 });
    await first.down();
  });

  describe("after an interrupted takeover", () => {
    const apply = Reflect.get(Client.prototype, "apply");
    const objects = [configMap("a"), configMap("b")];
    afterEach(() => (Client.prototype.apply = apply));

    const offered = async (set: TestSet): Promise<void> => {
      const ref = { ...recordRef({ name: "acme", namespace: world.namespace }) };
      await offerOwner(
        world.client,
        (await readOwner(world.client, ref)) as Held,
        offerTo(stackOf({ urn: set.urn, backend: world.backend })),
      );
    };
    /** As the take-over leaves the objects when its engine is killed before it applies those with these names. */
    const interrupted = async (set: TestSet, ...names: readonly string[]): Promise<void> => {
      Client.prototype.apply = function (this: Client, ...args: Parameters<Client["apply"]>) {
        const [{ metadata }, { dryRun = false } = {}] = args;
        if (names.includes(metadata.name) && !dryRun) throw new Error("the engine was killed");
        return apply.apply(this, args);
      };
      await assert.rejects(set.up(objects), /the engine was killed/);
      Client.prototype.apply = apply;
    };

    it("passes completely with the next update, even if a third stack takes over meanwhile", async () => {
      const [first, second, third] = [world.set(), world.set({}, "new"), world.set({}, "third")];
      await first.up(objects);
      const former = first.state?.ownerId;
      await offered(second);
      await interrupted(second, "a", "b");
      await interrupted(second, "b");
      assert.deepEqual([await idOn("a"), await idOn("b")], [second.state?.ownerId, former]);
      assert.match(await first.fails(objects), /belongs to stack stackyard\/new/);
      await second.preview(objects);
      await offered(third);
      await third.up(objects);
      assert.deepEqual([await idOn("a"), await idOn("b")], [third.state?.ownerId, third.state?.ownerId]);
      assert.doesNotMatch(JSON.stringify((await recordOf())?.metadata.annotations), /former/);
      await third.down();
    });

    it("allows the new owner to delete objects that are not yet taken over", async () => {
      const [first, second] = [world.set(), world.set({}, "new")];
      await first.up(objects);
      await offered(second);
      await interrupted(second, "b");
      await second.down();
      assert.deepEqual([await there("a"), await there("b"), await recordOf()], [undefined, undefined, undefined]);
    });
  });

  it("rejects a restored older state, also on delete, until a refresh", async () => {
    const set = world.set();
    await set.up([configMap("a")]);
    const [inputs, state] = [set.inputs, set.state];
    await set.up([configMap("a", { a: "newer" })]);
    [set.inputs, set.state] = [inputs, state];
    const refusal = /set \S+ has generation 2, and the state of stack stackyard\/test in .* is older \(generation 1\)/;
    await assert.rejects(set.preview([configMap("a", { a: "older" })]), refusal);
    assert.match(await set.fails([configMap("a", { a: "older" })]), refusal);
    [set.inputs, set.state] = [inputs, state];
    await assert.rejects(set.down(), refusal);
    assert.deepEqual((await there("a"))?.["data"], { a: "newer" });
    await set.refresh();
    await set.up([configMap("a", { a: "newest" })]);
    assert.equal(set.state?.generation, 3);
    await set.down();
  });

  for (const [of, more] of [
    ["the set", {}],
    ["the runtime (with a set of another URN)", { record: { request: {} } }],
  ] as const) {
    it(`rejects a state from before ${of} moved to another namespace`, () => movedAway(more));
  }

  async function movedAway(more: Partial<SetInputs>): Promise<void> {
    const elsewhere = await new World(await testKubeconfig()).open();
    try {
      const set = world.set(more);
      await set.up([configMap("a")]);
      const [inputs, state] = [set.inputs, set.state];
      await set.down();
      const moved = world.set({ ...more, namespace: elsewhere.namespace });
      await (more.record ? new TestSet(world, moved.more, `${moved.urn}-moved`) : moved).up([configMap("a")]);
      [set.inputs, set.state] = [inputs, state];
      const refusal = /was moved: stack stackyard\/test in .* has it in namespace set-/;
      assert.match(await set.fails([configMap("a", { a: "c" })]), refusal);
      [set.inputs, set.state] = [inputs, state];
      await assert.rejects(set.refresh(), refusal);
      await set.down();
      assert.match(world.said("warning"), /left ConfigMap \S+ alone: set \S+ was moved: /);
      assert.equal(await there("a"), undefined);
    } finally {
      await elsewhere.close();
    }
  }

  it("was not moved where only a stack of its name in another backend has a runtime of its name", async () => {
    const elsewhere = await new World(await testKubeconfig()).open();
    try {
      const record = { name: "alone", record: { request: {} } };
      const set = world.set(record);
      await set.up([configMap("a")]);
      const theirs = new TestSet(elsewhere, record, set.urn);
      await theirs.up([configMap("a")], {}, { backend: "s3://elsewhere" });
      await world.client.remove(recordRef(set.inputs as SetInputs));
      await set.up([configMap("a", { a: "c" })]);
      assert.ok(await world.client.get(recordRef(set.inputs as SetInputs)));
      await world.client.remove(world.ref("v1", "ConfigMap", "a"));
      await world.client.remove(recordRef(set.inputs as SetInputs));
      await set.up([configMap("a", { a: "d" })]);
      assert.ok(await there("a"));
      await set.down();
      await theirs.down({ backend: "s3://elsewhere" });
    } finally {
      await elsewhere.close();
    }
  });

  it("survives removed marks, which the next update restores", async () => {
    const set = world.set();
    const objects = [configMap("a"), configMap("b"), configMap("c")];
    await set.up(objects);
    const labels = { [SET_LABEL]: null, [SET_NAMESPACE_LABEL]: null };
    const annotations = { [OWNER_ANNOTATION]: null };
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { metadata: { labels } });
    await world.client.merge(world.ref("v1", "ConfigMap", "b"), { metadata: { labels, annotations } });
    assert.ok(await set.refresh());
    assert.equal((await set.changes(objects)).length, 2);
    await set.up(objects);
    assert.equal((await there("b"))?.metadata.labels?.[SET_LABEL], "acme");
    assert.equal(await idOn("b"), set.state?.ownerId);
    await world.client.merge(world.ref("v1", "ConfigMap", "a"), { metadata: { labels } });
    await set.down();
    assert.deepEqual([await there("a"), await there("b")], [undefined, undefined]);
  });

  it("survives the loss of all objects, which the next update creates again", async () => {
    const set = world.set({ record: { deployment: "acme" } });
    await set.up([configMap("a")]);
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    await set.refresh();
    assert.deepEqual([set.state?.inventory, set.state?.record], [[], { deployment: "acme" }]);
    assert.match(world.said("warning"), /none of its objects exists in \S+; the next update creates them again/);
    assert.deepEqual(await set.changes([configMap("a")]), ["objects[0]"]);
    await set.up([configMap("a")]);
    assert.match(world.said("info"), /they are created again/);
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    await set.down();
    assert.match(world.said("info"), /found none of ConfigMap \S+\/a in \S+, so there was nothing to delete/);
  });

  it("is checked only in its own cluster, even if another cluster has the same address", async () => {
    const set = world.set();
    await set.up([configMap("a")]);
    const [inputs, state] = [set.inputs, set.state];
    const elsewhere = { ...(state as SetState), clusterUid: "2d5e0d9c" };
    const refusal =
      /is another cluster \(UID \S+\) than the one that this is in \(UID 2d5e0d9c\)\. Nothing was changed/;
    set.state = elsewhere;
    await assert.rejects(set.preview([configMap("a", { a: "c" })]), refusal);
    assert.match(await set.fails([configMap("a", { a: "c" })]), refusal);
    await assert.rejects(set.refresh(), refusal);
    await assert.rejects(set.down(), refusal);
    assert.deepEqual((await there("a"))?.["data"], { a: "b" });
    [set.inputs, set.state] = [inputs, state];
    await set.down();
  });

  it("continues a killed creation and an update whose result did not reach the state", async () => {
    const killed = world.set();
    await killed.up([configMap("a")]);
    const found = (await readOwner(world.client, recordRef(killed.inputs as SetInputs))) as Held;
    await world.client.replace(withRecord(found.object, { ...found.record, phase: "applying" }, { urn: killed.urn }));
    const again = world.set();
    await again.up([configMap("a")]);
    assert.equal(await idOn("a"), again.state?.ownerId);
    const before = again.state as SetState;
    await again.up([configMap("a", { a: "c" })]);
    again.state = { ...before, interrupted: true };
    await again.up([configMap("a", { a: "c" })]);
    assert.deepEqual([again.state.generation, again.state.interrupted], [4, undefined]);
    await again.down();
  });

  it("goes on from a creation that was interrupted, whose state has the inputs only, and reads what it created", async () => {
    const objects = [configMap("a"), configMap("b")];
    const set = world.set({ record: { deployment: { id: "acme" } } });
    await set.up(objects);
    const { inputs, state } = set;
    const left = { ...inputs, ownerId: state?.ownerId, interrupted: true } as SetState;
    set.state = left;
    // The engine updates it all the same, because of the error in its state.
    assert.deepEqual(await set.changes(objects), []);
    await set.preview(objects);
    await set.up(objects);
    assert.deepEqual([set.state.inventory, set.state.interrupted], [state?.inventory, undefined]);
    set.state = left;
    await world.client.remove(world.ref("v1", "ConfigMap", "b"));
    await set.refresh();
    assert.deepEqual(set.state.inventory, [`v1/ConfigMap/${world.namespace}/a`]);
    set.state = left;
    await set.down();
    assert.deepEqual([await there("a"), await recordOf()], [undefined, undefined]);
  });

  it("reports the permission missing for its record before anything is changed", async () => {
    const user = `limited-${world.namespace}`;
    const rules = [{ apiGroups: [""], resources: ["services"], verbs: ["*"] }];
    const metadata = { name: "limited", namespace: world.namespace };
    const api = "rbac.authorization.k8s.io";
    await world.client.apply({ apiVersion: `${api}/v1`, kind: "Role", metadata, rules });
    const roleRef = { apiGroup: api, kind: "Role", name: "limited" };
    const subjects = [{ kind: "User", name: user, apiGroup: api }];
    await world.client.apply({ apiVersion: `${api}/v1`, kind: "RoleBinding", metadata, roleRef, subjects });
    const set = world.set({ as: user });
    assert.match(await set.fails([service()]), /give the user the right to get configmaps in namespace/);
    assert.equal(await world.client.get(world.ref("v1", "Service", "acme")), undefined);
  });

  it("of a shared namespace stays with its creator; other stacks use the namespace unchanged", async () => {
    const name = `${world.namespace}-shared`;
    const namespace = (labels: Record<string, string>) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels },
    });
    const given = { name: "namespace", namespace: name, shared: true };
    const [first, second] = [world.set(given), world.set(given, "other")];
    const live = async () => (await world.client.get({ apiVersion: "v1", kind: "Namespace", name }))?.metadata.labels;
    await first.up([namespace({ team: "a" })]);
    await second.up([namespace({ team: "b" })]);
    assert.equal((await live())?.["team"], "a");
    assert.match(
      world.said("warning"),
      /Namespace \S+ belongs to another stack and stays as it is; it differs in metadata\.labels\.team/,
    );
    await second.refresh();
    assert.deepEqual(await second.changes([namespace({ team: "b" })]), []);
    // The namespace stays when a stack is destroyed, and the same resource of the same stack has it again.
    const again = world.set(given);
    await again.up([namespace({ team: "c" })]);
    assert.equal((await live())?.["team"], "c");
    await second.down();
    assert.ok(await live());
    await again.down();
    assert.equal(await live(), undefined);
  });

  it("is accepted without a record for an old state, and kept after a killed update", async () => {
    const objects = [configMap("a"), configMap("b")];
    const set = world.set();
    await set.up(objects);
    await asBefore(set, ["a", "b"]);
    assert.ok(await set.refresh());
    assert.deepEqual(await set.changes(objects), []);
    const before = set.state;
    await set.up([configMap("a", { a: "c" }), configMap("b")]);
    assert.ok((await idOn("a")) === set.state?.ownerId);
    set.state = { ...(before as SetState), interrupted: true };
    await set.down();
    assert.deepEqual([await there("a"), await there("b")], [undefined, undefined]);
  });

  it("is read from the marks of objects of a version without records", async () => {
    const [first, second] = [world.set(), world.set({}, "copy")];
    await first.up([configMap("a")]);
    await world.client.remove(world.ref("v1", "ConfigMap", "acme.owner"));
    first.state = { ...(first.state as SetState), generation: undefined };
    const refusal =
      /ConfigMap \S+\/a belongs to another owner of set \S+: its owner id is .*: stackyard adopt \S+ --stack copy/;
    await assert.rejects(second.preview([configMap("a")]), refusal);
    assert.match(await second.fails([configMap("a")]), refusal);
    assert.equal(await recordOf(), undefined);
    await first.up([configMap("a", { a: "c" })]);
    assert.equal(first.state?.generation, 1);
    await first.down();
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

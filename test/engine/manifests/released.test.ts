import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { teamBinding, teamNamespace } from "../../../components/teams/plan";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { configMap, World } from "./world";
import { testKubeconfig } from "./yard";

const ROLE_BINDING = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding" };

describe("a manifest set that retains its objects on deletion", () => {
  const name = `kept-${randomBytes(3).toString("hex")}`;
  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name } }, configMap("a")];
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const refs = () => [{ apiVersion: "v1", kind: "Namespace", name }, world.ref("v1", "ConfigMap", "a")];
  const live = () => Promise.all(refs().map((ref) => world.client.get(ref)));
  const idsOf = async () => (await live()).map((one) => one?.metadata.annotations?.[OWNER_ANNOTATION]);
  const uids = async () => (await live()).map((one) => [one?.metadata.uid, one?.metadata.deletionTimestamp]);
  const recordOf = () => world.client.get(world.ref("v1", "ConfigMap", "acme.owner"));

  it("removes its owner's marks so that a set of another backend can take the objects over", async () => {
    const retained = { retained: true };
    const first = world.set(retained);
    await first.up(objects);
    const before = await uids();
    await first.down();
    assert.match(world.said("info"), new RegExp(`^kept Namespace ${name}, without an owner$`, "m"));
    assert.deepEqual([await uids(), await idsOf(), await recordOf()], [before, [undefined, undefined], undefined]);
    world.backend = "s3://elsewhere";
    const second = world.set(retained, "new");
    await second.preview(objects);
    await second.up(objects);
    const id = second.state?.ownerId;
    assert.deepEqual([await uids(), await idsOf()], [before, [id, id]]);
    await second.down();
    await world.client.remove(refs()[0]!);
  });

  it("keeps the marks of another owner that took over or shares the set", async () => {
    const first = world.set({ retained: true, shared: true });
    const second = world.set({ retained: true, shared: true }, "new");
    await first.up(objects);
    await second.up(objects);
    const before = await idsOf();
    await second.down();
    assert.match(
      world.said("info"),
      /^left ConfigMap \S+\/acme\.owner alone: set \S+ belongs to stack stackyard\/test/m,
    );
    assert.deepEqual([await idsOf(), before], [before, [first.state?.ownerId, first.state?.ownerId]]);
    assert.ok(await recordOf());
    await first.down();
    await world.client.remove(refs()[0]!);
  });

  it("rejects a namespace of another owner, and keeps that of a team with all that is in it", async () => {
    const team = { namespace: `${name}-team`, group: "team-a", role: "edit", principals: [], protection: {} };
    const ref = { apiVersion: "v1", kind: "Namespace", name: team.namespace };
    const { metadata } = await world.client.create(teamNamespace(team)[0] as unknown as KubeObject);
    const set = world.set({ retained: true, namespace: team.namespace, name: "namespace" });
    assert.match(await set.fails(teamNamespace(team)), /Namespace \S+ exists already and belongs to no set/);
    const untouched = await world.client.get(ref);
    assert.deepEqual(untouched?.metadata, metadata);

    const own = { ...team, namespace: `${name}-own` };
    const { namespace } = own;
    const first = world.set({ retained: true, namespace, name: "namespace" });
    const group = world.set({ namespace, name: "team" });
    await first.up(teamNamespace(own));
    await group.up([teamBinding(own)]);
    await group.up([teamBinding({ ...own, role: "view" })]);
    await world.client.create({ ...configMap("work"), metadata: { name: "work", namespace } });
    await group.down();
    await first.down();
    const bindings = await world.client.list({ ...ROLE_BINDING, namespace });
    const kept = { ...ref, name: namespace };
    assert.deepEqual([bindings, (await world.client.get(kept))?.metadata.deletionTimestamp], [[], undefined]);
    assert.ok(await world.client.get({ apiVersion: "v1", kind: "ConfigMap", namespace, name: "work" }));
    for (const each of [ref, kept]) await world.client.remove(each);
  });

  it("is forgotten with a warning if the cluster no longer exists", async () => {
    const set = world.set({ retained: true });
    await set.up([configMap("a")]);
    const kubeconfig = world.kubeconfig.replaceAll(/https:\/\/[^\s"]+/g, "https://nowhere.invalid:1");
    set.inputs = { ...set.inputs!, kubeconfig };
    await set.down();
    assert.match(world.said("warning"), /so the objects of set \S+ stay with the marks of their owner/);
  });
});

import assert from "node:assert/strict";
import { Client } from "../../../kubernetes/client/client";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { offerTo } from "../../../kubernetes/owners/record";
import { offerOwner, readOwner, recordRef, type Held } from "../../../kubernetes/owners/store";
import type { SetInputs } from "../../../kubernetes/apply/set";
import { configMap, service, World, type TestSet } from "./world";
import { testKubeconfig } from "./yard";

describe("a manifest set whose owner changes while it is applied", () => {
  const apply = Reflect.get(Client.prototype, "apply");
  const objects = [configMap("a"), service()];
  let world: World;
  let first: TestSet;
  let second: TestSet;

  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    [first, second] = [world.set(), world.set({}, "new")];
    await first.up(objects);
  });
  afterEach(async () => {
    Client.prototype.apply = apply;
    await world.close();
  });

  const marks = async () => {
    const refs = [world.ref("v1", "ConfigMap", "a"), world.ref("v1", "Service", "acme")];
    const live = await Promise.all(refs.map((ref) => world.must(ref)));
    return live.map((one) => [one.metadata.uid, one.metadata.annotations?.[OWNER_ANNOTATION], one["data"]]);
  };

  /** Changes the first set; the work is done when the change of the ConfigMap has been decided and not been sent. */
  async function appliedDuring(work: () => Promise<unknown>): Promise<string> {
    Client.prototype.apply = async function (this: Client, ...args: Parameters<Client["apply"]>) {
      const [{ kind }, { dryRun = false } = {}] = args;
      if (kind !== "ConfigMap" || dryRun) return apply.apply(this, args);
      Client.prototype.apply = apply;
      await work();
      return apply.apply(this, args);
    };
    return first.fails([configMap("a", { now: "changed" }), service()]);
  }

  it("keeps the marks of the stack that it was offered to and names it in the error", async () => {
    const before = (await marks()).map(([uid, , data]) => [uid, data]);
    const said = await appliedDuring(async () => {
      const found = await readOwner(world.client, recordRef(first.inputs as SetInputs));
      const { backend } = world;
      await offerOwner(world.client, found as Held, offerTo({ stack: "stackyard/new", backend }));
      await second.up(objects);
    });
    assert.match(said, /it belongs to stack stackyard\/new/);
    const id = second.state?.ownerId;
    assert.deepEqual(
      await marks(),
      before.map(([uid, data]) => [uid, id, data]),
    );
    assert.deepEqual(await second.changes(objects), []);
  });

  it("changes nothing after another stack adopted it with the same owner id", async () => {
    const before = await marks();
    const said = await appliedDuring(() => second.up(objects, { adopt: first.state?.ownerId }));
    assert.match(said, /it belongs to stack stackyard\/new/);
    assert.deepEqual(await marks(), before);
  });

  it("does not take over an object that somebody else creates under the name of a new one", async () => {
    const theirs = { ...configMap("b", { mine: "no" }), metadata: { name: "b", namespace: world.namespace } };
    Client.prototype.apply = async function (this: Client, ...args: Parameters<Client["apply"]>) {
      const [{ metadata }, { dryRun = false } = {}] = args;
      if (metadata.name !== "b" || dryRun) return apply.apply(this, args);
      Client.prototype.apply = apply;
      await world.client.create(theirs);
      return apply.apply(this, args);
    };
    assert.match(await first.fails([...objects, configMap("b", { mine: "yes" })]), /ConfigMap \S+\/b exists already/);
    const { metadata, ...live } = await world.must(world.ref("v1", "ConfigMap", "b"));
    assert.deepEqual([live["data"], metadata.labels], [{ mine: "no" }, undefined]);
  });

  it("uses an object as it is that another stack with the same shared set creates at the same moment", async () => {
    const [one, other] = ["test", "new"].map((stack) => world.set({ name: "both", shared: true }, stack));
    assert.ok(one && other);
    Client.prototype.apply = async function (this: Client, ...args: Parameters<Client["apply"]>) {
      const [{ metadata }, { dryRun = false } = {}] = args;
      if (metadata.name !== "both" || dryRun) return apply.apply(this, args);
      Client.prototype.apply = apply;
      await other.up([configMap("both")]);
      return apply.apply(this, args);
    };
    await one.up([configMap("both")]);
    const live = await world.must(world.ref("v1", "ConfigMap", "both"));
    assert.equal(live.metadata.annotations?.[OWNER_ANNOTATION], other.state?.ownerId);
  });

  it("is still applied after changes that do not affect the owner", async () => {
    const ref = world.ref("v1", "ConfigMap", "a");
    Client.prototype.apply = async function (this: Client, ...args: Parameters<Client["apply"]>) {
      const [{ kind }, { dryRun = false } = {}] = args;
      if (kind !== "ConfigMap" || dryRun) return apply.apply(this, args);
      Client.prototype.apply = apply;
      await world.client.merge(ref, { metadata: { annotations: { "example.com/seen": "yes" } } });
      return apply.apply(this, args);
    };
    await first.up([configMap("a", { now: "changed" }), service()]);
    assert.deepEqual((await world.must(ref))["data"], { now: "changed" });
    assert.equal((await world.must(ref)).metadata.annotations?.["example.com/seen"], "yes");
  });
});

import assert from "node:assert/strict";
import { Client } from "../../../kubernetes/client/client";
import { offerTo } from "../../../kubernetes/owners/record";
import { offerOwner, readOwner, recordRef, type Held } from "../../../kubernetes/owners/store";
import type { SetInputs } from "../../../kubernetes/apply/set";
import { configMap, service, statefulSet, World, type TestSet } from "./world";
import { testKubeconfig } from "./yard";

type Removal = Parameters<Client["remove"]>;

describe("a manifest set whose owner changes while it is deleted", () => {
  const remove = Reflect.get(Client.prototype, "remove");
  const objects = [configMap("a"), service(), statefulSet()];
  let world: World;
  let first: TestSet;
  let second: TestSet;

  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    [first, second] = [world.set(), world.set({}, "new")];
    await first.up(objects);
  });
  afterEach(async () => {
    Client.prototype.remove = remove;
    await world.close();
  });

  const uids = async (): Promise<unknown[]> => {
    const { namespace } = world;
    const lists = await Promise.all([
      world.client.list({ apiVersion: "apps/v1", kind: "StatefulSet", namespace }),
      world.client.list({ apiVersion: "v1", kind: "Service", namespace }),
      world.client.list({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace }),
      world.client.list({ apiVersion: "v1", kind: "ConfigMap", namespace }, { label: "stackyard.dev/set" }),
    ]);
    return lists.flat().map(({ metadata }) => [metadata.name, metadata.uid, metadata.deletionTimestamp]);
  };

  /** Deletes the first set; the work is done when the deletion of an object has been decided and not been sent. */
  async function deletedDuring(kind: string, work: () => Promise<unknown>): Promise<string> {
    Client.prototype.remove = async function (this: Client, ...args: Removal) {
      if (args[0].kind !== kind) return remove.apply(this, args);
      Client.prototype.remove = remove;
      await work();
      return remove.apply(this, args);
    };
    const ended = await first.down().catch((error: unknown) => (error as Error).message);
    return `${world.said("warning")}\n${String(ended)}`;
  }

  it("keeps every object for the stack that it was offered to, even the one about to be deleted", async () => {
    const before = await uids();
    const said = await deletedDuring("StatefulSet", async () => {
      const found = await readOwner(world.client, recordRef(first.inputs as SetInputs));
      const { backend } = world;
      await offerOwner(world.client, found as Held, offerTo({ stack: "stackyard/new", backend }));
      await second.up(objects);
    });
    assert.match(said, /left StatefulSet \S+ alone: its annotation \S+ names another owner/);
    assert.deepEqual(await uids(), before);
    assert.deepEqual(await second.changes(objects), []);
  });

  it("keeps every object after another stack adopted it with the same owner id", async () => {
    const before = await uids();
    const said = await deletedDuring("StatefulSet", () => second.up(objects, { adopt: first.state?.ownerId }));
    assert.match(said, /it belongs to stack stackyard\/new/);
    assert.deepEqual(await uids(), before);
    assert.deepEqual(await second.changes(objects), []);
  });

  it("is still deleted after changes that do not affect the owner", async () => {
    const annotations = { "example.com/seen": "yes" };
    const ref = world.ref("apps/v1", "StatefulSet", "acme");
    await deletedDuring("StatefulSet", () => world.client.merge(ref, { metadata: { annotations } }));
    assert.deepEqual(await uids(), []);
  });
});

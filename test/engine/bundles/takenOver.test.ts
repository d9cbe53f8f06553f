import assert from "node:assert/strict";
import { Client } from "../../../kubernetes/client/client";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { offerTo } from "../../../kubernetes/owners/record";
import { offerOwner } from "../../../kubernetes/owners/store";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World, type Release } from "./world";

type Verb = "remove" | "apply";

describe("a release that is taken over while its owner changes or deletes it", () => {
  const real = { remove: Reflect.get(Client.prototype, "remove"), apply: Reflect.get(Client.prototype, "apply") };
  const files = { "a.yaml": [configMap("b")] };
  let world: World;
  let first: Release;
  let second: Release;

  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    [first, second] = [world.release("shop", {}, "one"), world.release("shop", {}, "two")];
    await first.up(files);
  });
  afterEach(async () => {
    Object.assign(Client.prototype, real);
    await world.close();
  });

  const takeOver = async (): Promise<void> => {
    const object = (await world.there("ConfigMap", "bundle-shop")) ?? assert.fail("there is no note");
    const record = recordOn(object) ?? assert.fail("the note has no record");
    await offerOwner(world.client, { object, record }, offerTo({ stack: "platform/two", backend: record.backend }));
    await second.up(files);
  };
  const live = async () => {
    const one = await world.there("ConfigMap", "b");
    return [one?.metadata.uid, one?.metadata.annotations?.[OWNER_ANNOTATION], one?.["data"]];
  };

  /** Does the work when the request of the object has been decided and not been sent. */
  function before(verb: Verb, name: string, work: () => Promise<void>): void {
    const request = async function (this: Client, ...args: unknown[]): Promise<unknown> {
      const { metadata, name: named } = args[0] as {
        readonly metadata?: { readonly name: string };
        readonly name?: string;
      };
      const send = Reflect.get(real, verb) as (...all: unknown[]) => Promise<unknown>;
      if ((metadata?.name ?? named) !== name) return send.apply(this, args);
      Object.assign(Client.prototype, real);
      await work();
      return send.apply(this, args);
    };
    Object.assign(Client.prototype, { [verb]: request });
  }

  it("keeps the object that the former owner was about to delete", async () => {
    const [uid] = await live();
    before("remove", "b", takeOver);
    await first.down();
    assert.match(world.said("info"), /^left ConfigMap \S+\/b alone: /m);
    assert.deepEqual(await live(), [uid, second.state?.ownerId, configMap("b")["data"]]);
    assert.deepEqual(await second.changes(files), []);
  });

  it("keeps the new owner's marks and fields on the object that the former owner was about to change", async () => {
    const [uid] = await live();
    before("apply", "b", takeOver);
    const message = await first.fails({ "a.yaml": [configMap("b", { now: "changed" })] });
    assert.match(message, /owner is stack platform\/two|belongs to (another owner|stack platform\/two)/);
    assert.deepEqual(await live(), [uid, second.state?.ownerId, configMap("b")["data"]]);
  });
});

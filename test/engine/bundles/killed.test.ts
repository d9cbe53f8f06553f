import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import type { Order } from "./worker";
import { World } from "./world";

const MANY = 400;
const many = (prefix: string) => Array.from({ length: MANY }, (_, index) => configMap(`${prefix}-${index}`));

describe("a release whose update is killed", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  /** Begins an update in another process and kills it, as `kill -9` does, as soon as `isInTheMiddle`. */
  async function killedWhen(order: Order, isInTheMiddle: () => Promise<boolean>): Promise<void> {
    const child = spawn(process.execPath, [path.join(__dirname, "workerEntry.js")], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    const ended = new Promise<string | null>((resolve) => child.once("close", (_code, signal) => resolve(signal)));
    child.stdin.end(JSON.stringify(order));
    for (const since = Date.now(); !(await isInTheMiddle()); await sleep(5)) {
      assert.ok(Date.now() - since < 60_000, "it never came to the middle");
    }
    child.kill("SIGKILL");
    assert.equal(await ended, "SIGKILL", "it was done before it could be killed");
  }
  const count = async (prefix: string): Promise<number> =>
    (await world.configMaps()).filter((name) => name.startsWith(`${prefix}-`)).length;
  const within = async (prefix: string): Promise<boolean> => {
    const found = await count(prefix);
    return found > 20 && found < MANY - 20;
  };

  it("completes on the next update when killed while it applies objects", async () => {
    const release = world.release();
    const files = { "a.yaml": many("a") };
    await killedWhen({ inputs: await release.check(files) }, () => within("a"));
    // No state is left of it: the engine never heard of the objects.
    await release.up(files);
    assert.equal(await count("a"), MANY);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("deletes the killed update's objects when the next update has other content", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("first") });
    const old = { inputs: release.inputs!, state: release.state! };
    const inputs = await release.check({ "a.yaml": [configMap("first"), ...many("b")] });
    await killedWhen({ inputs, old }, () => within("b"));
    await release.up({ "a.yaml": [configMap("first"), configMap("second")] });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "first", "second"]);
    await release.down();
  });

  it("completes on the next update or delete when killed while it prunes", async () => {
    const release = world.release();
    const small = { "a.yaml": configMap("first") };
    for (const finish of [() => release.up(small), () => release.down()]) {
      await release.up({ "a.yaml": [configMap("first"), ...many("c")] });
      const old = { inputs: release.inputs!, state: release.state! };
      await killedWhen({ inputs: await release.check(small), old }, () => within("c"));
      await finish();
      assert.equal(await count("c"), 0);
    }
    assert.deepEqual(await world.configMaps(), []);
  });

  it("reverts the killed update's changes on an update to other content", async () => {
    const release = world.release();
    const files = { "01_a.yaml": [configMap("first", { value: "old" })] };
    await release.up(files);
    const old = { inputs: release.inputs!, state: release.state! };
    const killed = { "01_a.yaml": [configMap("first", { value: "new" })], "02_b.yaml": many("d") };
    await killedWhen({ inputs: await release.check(killed), old }, () => within("d"));
    const value = async () => (await world.there("ConfigMap", "first"))?.["data"];
    assert.deepEqual(await value(), { value: "new" });
    // Nobody but the cluster knows of it.
    await release.up({ ...files, "02_b.yaml": configMap("second") });
    assert.deepEqual(await value(), { value: "old" });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "first", "second"]);
    await release.down();
  });

  it("reports an incomplete update on refresh, so that even the previous content fixes it", async () => {
    const release = world.release();
    const files = { "a.yaml": configMap("first") };
    await release.up(files);
    const old = { inputs: release.inputs!, state: release.state! };
    const inputs = await release.check({ "a.yaml": [configMap("first"), ...many("e")] });
    await killedWhen({ inputs, old }, () => within("e"));
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`an update to ${inputs.digest} did not come to its end`]);
    assert.deepEqual(await release.changes(files), ["drift"]);
    await release.up(files);
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "first"]);
    assert.ok(await release.refresh());
    assert.equal(release.inputs?.drift, undefined);
    await release.down();
  });

  it("completes on the next update when killed between delete and recreate", async () => {
    const release = world.release();
    const frozen = (value: string) => ({
      "a.yaml": {
        ...{ apiVersion: "v1", kind: "ConfigMap", data: { value }, immutable: true },
        metadata: {
          name: "frozen",
          finalizers: ["example.com/hold"],
          annotations: { "stackyard.dev/replace": "true" },
        },
      },
    });
    await release.up(frozen("1"));
    const old = { inputs: release.inputs!, state: release.state! };
    const live = () => world.there("ConfigMap", "frozen");
    const isGoing = async () => (await live())?.metadata.deletionTimestamp !== undefined;
    await killedWhen({ inputs: await release.check(frozen("2")), old }, isGoing);
    const free = () => world.client.merge(world.ref("v1", "ConfigMap", "frozen"), { metadata: { finalizers: null } });
    const freed = sleep(500).then(free);
    await release.up(frozen("2"));
    await freed;
    assert.deepEqual((await live())?.["data"], { value: "2" });
    await free();
    await release.down();
  });

  it("completes on the next delete when killed while it deletes", async () => {
    const release = world.release();
    await release.up({ "a.yaml": many("f") });
    const old = { inputs: release.inputs!, state: release.state! };
    await killedWhen({ inputs: old.inputs, old, down: true }, () => within("f"));
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });
});

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
    const child = spawn(process.execPath, [path.join(__dirname, "worker.js")], {
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

  it("in the middle of being applied, is brought to its end by the next one", async () => {
    const release = world.release();
    const files = { "a.yaml": many("a") };
    await killedWhen({ inputs: await release.check(files) }, () => within("a"));
    // No state is left of it: the engine never heard of the objects.
    await release.up(files);
    assert.equal(await count("a"), MANY);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("and then wants other content, loses what only the killed one made", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("first") });
    const old = { inputs: release.inputs!, state: release.state! };
    const inputs = await release.check({ "a.yaml": [configMap("first"), ...many("b")] });
    await killedWhen({ inputs, old }, () => within("b"));
    await release.up({ "a.yaml": [configMap("first"), configMap("second")] });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "first", "second"]);
    await release.down();
  });

  it("in the middle of pruning, is brought to its end by the next one, and by a deletion too", async () => {
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
});

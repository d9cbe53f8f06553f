import assert from "node:assert/strict";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";
import { Example } from "./example";

describe("a program with runtimes", () => {
  let example: Example;
  let world: World;
  before(async () => {
    const place = await testYard();
    world = new World(place);
    example = await Example.of(place, "runtimes");
    await example.set("ledger", place.ledgerUrl, "--secret");
  });
  after(async () => {
    await example.remove();
    world.remove();
  });

  const refused = async (): Promise<string> => {
    const { code, stdout, stderr } = await example.project.hand("preview", "-s", "dev");
    assert.notEqual(code, 0);
    return stdout + stderr;
  };

  it("creates a runtime from its own template, and slots on a host", async () => {
    await example.up();
    const outputs = JSON.parse(await example.outputs()) as Record<string, unknown>;
    assert.equal(outputs["own"], "https://own.team.example.com");
    assert.equal(outputs["cpu"], 1);
    assert.equal(outputs["shared"], "http://one.team.example.com");
    const { spec } = await world.get("-n", "team-runtimes", "statefulset", "runtime-own");
    assert.deepEqual((spec as { selector: unknown }).selector, { matchLabels: { app: "shop", instance: "own" } });
  });

  it("changes them in place", async () => {
    await example.set("version", "1.1.0");
    await example.set("slots", "2");
    const said = await example.up();
    assert.match(said, /ManifestSet own-runtime-objects updated/);
    assert.match(said, /SlotAllocation shared-runtime-slots updated/);
  });

  it("refuses to move a runtime without its data, unless the program allows it", async () => {
    await example.set("namespace", "team-others");
    assert.match(await refused(), /namespace/);
    await example.set("namespace", "team-runtimes");
    await example.set("pool", "1");
    assert.match(await refused(), /pool: found "team-pool-1"; expected "team-pool-0", where shared has its slots/);
    await example.set("move", "true");
    await example.up();
    assert.match(await example.outputs(), /"shared": "http:\/\/two\.team\.example\.com"/);
  });

  it("has provisioners for stacks of runtimes", async () => {
    const { project } = example;
    const pulumi = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await project.pulumi(...args, "-s", "third");
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };
    await project.pulumi("stack", "init", "third", "--no-select");
    await pulumi("config", "set", "platform", "organization/team/dev");
    await pulumi("config", "set", "--path", "deployment.slots", "1");
    await pulumi("config", "set", "--path", "deployment.version", "1.0.0");
    await pulumi("up", "--yes", "--skip-preview");
    await pulumi("preview", "--expect-no-changes");
    assert.match(await pulumi("stack", "output", "--json"), /"host": "https:\/\/third\.team\.example\.com"/);
    const { code, stdout, stderr } = await project.hand("destroy", "-s", "dev", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /third/);
    await pulumi("destroy", "--yes", "--skip-preview", "--remove");
  });

  it("deletes them", async () => {
    await example.destroy();
  });
});

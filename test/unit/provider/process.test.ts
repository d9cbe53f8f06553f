import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import manifest from "../../../package.json";
import { provider } from "../../../provider/main";
import { Engine } from "./engine";

const root = path.join(__dirname, "..", "..", "..");

/** Starts the executable that the engine starts, and waits for its port. */
async function start() {
  const child = spawn(path.join(root, "provider", "pulumi-resource-stackyard"), ["127.0.0.1:1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, port: Number(line.toString()), ended: once(child, "exit") };
}

describe("the provider's process", function () {
  // The first start may have to build the bundle.
  this.timeout(60_000);

  it("prints its port, serves requests there, and ends cleanly on SIGINT", async () => {
    const { child, port, ended } = await start();
    const engine = await new Engine(port).start();
    const schema = JSON.parse((await engine.schema()).getSchema()) as { name: string; version: string };
    assert.deepEqual([schema.name, schema.version], ["stackyard", manifest.version]);
    engine.stop();
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  });

  it("ends when the engine that started it is gone", async () => {
    const { child, ended } = await start();
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  });
});

describe("the provider's package", () => {
  it("has the version of the project", () => {
    assert.equal(provider.version, manifest.version);
  });

  it("has a handler for every resource of its schema, and no other", async () => {
    const schema = JSON.parse(await provider.schema()) as {
      resources: Record<string, { inputProperties: object; requiredInputs: string[]; properties: object }>;
    };
    assert.deepEqual(Object.keys(provider.handlers).sort(), Object.keys(schema.resources).sort());
    for (const [type, load] of Object.entries(provider.handlers)) {
      const handler = await load();
      const described = schema.resources[type];
      for (const secret of handler.secretProperties ?? []) {
        const known = { ...described?.inputProperties, ...described?.properties };
        assert.ok(secret in known, `${type} has a secret ${secret}`);
      }
      for (const required of described?.requiredInputs ?? []) assert.ok(required in (described?.inputProperties ?? {}));
    }
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { EngineRun } from "../../../foundation/process/engines";
import { createStack, forgetIfEmpty, type Forgetting } from "../../../engine/runtime/create";
import { FileStore } from "../../../engine/pulumi/state/fileStore";

describe("a new runtime stack without resources", () => {
  let folder: string;
  let runtimes: Workspace;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-create-"));
    runtimes = { folder, backend: `file://${folder}` };
    mkdirSync(path.join(folder, ".pulumi"));
    writeFileSync(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const state = (): string => path.join(folder, ".pulumi", "stacks", "stackyard-runtime", "acme.json");
  const locks = (): string => path.join(folder, ".pulumi", "locks", "organization", "stackyard-runtime", "acme");
  const forget = (more: Partial<Forgetting> = {}) => forgetIfEmpty("acme", { runtimes, keepFile: false, ...more });
  const lockOf = (pid: number): string =>
    JSON.stringify({ pid, username: "ann", hostname: hostname(), timestamp: new Date().toISOString() });
  const lock = (text: string): void => {
    mkdirSync(locks(), { recursive: true });
    writeFileSync(path.join(locks(), "1.json"), text);
  };
  const resourceOf = (type: string) => ({
    urn: `urn:pulumi:acme::stackyard-runtime::${type}::x`,
    type,
    custom: type !== "pulumi:pulumi:Stack",
  });
  const creating = (type: string) => ({ type: "creating", resource: resourceOf(type) });
  const write = (types: readonly string[], pending: readonly object[] = []): void => {
    const latest = { resources: types.map(resourceOf), pending_operations: pending };
    writeFileSync(state(), JSON.stringify({ version: 3, checkpoint: { latest } }));
  };

  it("is removed with its file, and leaves a backup and no lock", async () => {
    await createStack("acme", runtimes);
    write(["pulumi:pulumi:Stack", "pulumi:providers:stackyard"]);
    writeFileSync(path.join(folder, "Pulumi.acme.yaml"), "config: {}\n");
    await forget();
    assert.deepEqual([existsSync(state()), existsSync(`${state()}.bak`)], [false, true]);
    assert.deepEqual(readdirSync(locks()), []);
    assert.equal(existsSync(path.join(folder, "Pulumi.acme.yaml")), false);
  });

  it("is removed, but a file that existed before is kept", async () => {
    await createStack("acme", runtimes);
    writeFileSync(path.join(folder, "Pulumi.acme.yaml"), "config: {}\n");
    await forget({ keepFile: true });
    assert.deepEqual([existsSync(state()), existsSync(path.join(folder, "Pulumi.acme.yaml"))], [false, true]);
  });

  it("is removed with the lock of its engine once that is killed", async function () {
    if (process.platform !== "linux") this.skip();
    await createStack("acme", runtimes);
    const engine = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600000)"], { stdio: "ignore" });
    EngineRun.begin(engine.pid ?? 0);
    lock(lockOf(engine.pid ?? 0));
    writeFileSync(path.join(locks(), "1.json.attrs"), "{}");
    assert.equal(await forget(), false, "it still runs");
    assert.ok(existsSync(state()));
    engine.kill("SIGKILL");
    await once(engine, "exit");
    assert.equal(await forget(), true);
    assert.deepEqual([existsSync(state()), readdirSync(locks())], [false, []]);
  });

  it("is removed with the lock of an engine that ended elsewhere, even after a partial removal", async () => {
    const gone = [{ host: hostname(), pid: 7, at: Date.now() }];
    for (const isThere of [true, false]) {
      if (isThere) await createStack("acme", runtimes);
      lock(lockOf(7));
      assert.equal(await forget(), false);
      assert.equal(await forget({ gone }), true);
      assert.deepEqual([existsSync(state()), readdirSync(locks())], [false, []]);
    }
  });

  it("is removed despite an unfinished lock of a killed engine", async () => {
    await createStack("acme", runtimes);
    mkdirSync(locks(), { recursive: true });
    writeFileSync(path.join(locks(), "2.json.attrs"), "");
    assert.equal(await forget(), true);
    assert.equal(existsSync(state()), false);
  });

  it("is removed if its engine was killed while creating the stack or a provider", async () => {
    for (const type of ["pulumi:pulumi:Stack", "pulumi:providers:stackyard"]) {
      await createStack("acme", runtimes);
      write([], [creating(type)]);
      lock(lockOf(7));
      assert.equal(await forget({ gone: [{ host: hostname(), pid: 7, at: Date.now() }] }), true, type);
      assert.deepEqual([existsSync(state()), readdirSync(locks())], [false, []]);
    }
  });

  it("is kept if its engine was killed while creating a resource or something unknown", async () => {
    await createStack("acme", runtimes);
    for (const pending of [creating("stackyard:index:SlotAllocation"), { type: "creating" }]) {
      write([], [pending]);
      assert.equal(await forget(), false);
      assert.ok(existsSync(state()));
    }
  });

  it("is kept with its lock if it has a resource", async () => {
    await createStack("acme", runtimes);
    write(["pulumi:pulumi:Stack", "stackyard:index:ManifestSet"]);
    lock(lockOf(7));
    assert.equal(await forget({ gone: [{ host: hostname(), pid: 7, at: Date.now() }] }), false);
    assert.deepEqual([existsSync(state()), readdirSync(locks())], [true, ["1.json"]]);
  });

  it("is kept if it has a resource", async () => {
    await createStack("acme", runtimes);
    write(["pulumi:pulumi:Stack", "stackyard:index:ManifestSet"]);
    await forget();
    assert.ok(existsSync(state()));
  });

  for (const [what, content] of [
    ["", JSON.stringify({ pid: 1, username: "ann", hostname: "laptop", timestamp: "2026-01-01T00:00:00Z" })],
    [", also where the lock is only half written", "{"],
  ] as const) {
    it(`is kept while another process holds its lock${what}`, async () => {
      await createStack("acme", runtimes);
      lock(content);
      assert.equal(await forget(), false);
      assert.ok(existsSync(state()));
      assert.deepEqual(readdirSync(locks()), ["1.json"]);
    });
  }

  it("is locked while it is checked", async () => {
    await createStack("acme", runtimes);
    const store = FileStore.open(`file://${folder}`, folder);
    let held: string[] = [];
    assert.equal(
      await store.removeIf("stackyard-runtime", "acme", () => {
        held = readdirSync(locks());
        return false;
      }),
      false,
    );
    assert.equal(held.length, 1);
    assert.deepEqual([existsSync(state()), readdirSync(locks())], [true, []]);
  });
});

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { EngineRun } from "../../../foundation/process/engines";
import { unlock } from "../../../engine/stack/unlock";

describe("the lock of a platform stack", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-unlock-"));
  const stack = { project: "stackyard", stack: "dev", workspace: { folder, backend: `file://${folder}` } };
  const locks = path.join(folder, ".pulumi", "locks", "organization", "stackyard", "dev");
  const lock = (pid: number, host: string, timestamp = "2026-01-01T00:00:00Z"): void => {
    mkdirSync(locks, { recursive: true });
    writeFileSync(path.join(locks, "1.json"), JSON.stringify({ pid, username: "ann", hostname: host, timestamp }));
  };

  after(() => rmSync(folder, { recursive: true }));

  it("may be missing", async () => {
    await unlock(stack, () => assert.fail("nothing is to be said"));
  });

  it("is respected while its holder may be running, and the error names the holder", async () => {
    lock(7, "elsewhere.example");
    const message =
      /another process is working on stack dev: pid 7 of ann on elsewhere\.example, since .*"pulumi cancel dev"/;
    await assert.rejects(
      unlock(stack, () => undefined),
      { name: "Failure", message },
    );
  });

  it("is respected if its holder was not recorded, even if no such process runs on this host", async () => {
    lock(spawnSync(process.execPath, ["-e", ""]).pid, hostname());
    await assert.rejects(
      unlock(stack, () => undefined),
      /another process is working on stack dev/,
    );
    assert.equal(existsSync(path.join(locks, "1.json")), true);
  });

  it("is removed if its recorded holder has ended", async function () {
    if (process.platform !== "linux") this.skip();
    const engine = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600000)"], { stdio: "ignore" });
    const run = EngineRun.begin(engine.pid ?? 0);
    const ended = new Promise((resolve) => engine.once("exit", resolve));
    engine.kill("SIGKILL");
    await ended;
    lock(run.record.pid, hostname(), new Date(run.record.at).toISOString());
    const notes: string[] = [];
    await unlock(stack, (text) => notes.push(text));
    assert.match(notes.join(), /^removed the lock of a process that is gone \(pid \d+ of ann/);
    assert.equal(existsSync(path.join(locks, "1.json")), false);
    run.end(true);
  });
});

import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { EngineRun, hasEnded, isRunningHere, type EngineRecord } from "../../../foundation/process/engines";
import { fateOf, identify, type ProcessIdentity } from "../../../foundation/process/identity";
import { projectRoot } from "../../../toolchain/root";

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** Starts a process that lives until it is killed. */
const sleeper = (): ChildProcess =>
  spawn(process.execPath, ["-e", "setTimeout(() => {}, 600000)"], { stdio: "ignore" });

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

describe("the identity of a process", function () {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  it("is running while its process runs", () => {
    const me = identify(process.pid) ?? assert.fail();
    assert.equal(fateOf(me), "running");
    assert.deepEqual(identify(process.pid), me);
  });

  it("has ended when its process has ended, or when another process has its id", async () => {
    const child = sleeper();
    const identity = identify(child.pid ?? 0) ?? assert.fail();
    assert.equal(fateOf(identity), "running");
    await kill(child);
    assert.equal(fateOf(identity), "ended");
    assert.equal(identify(identity.pid), undefined);
    assert.equal(fateOf({ ...(identify(process.pid) ?? assert.fail()), start: "1" }), "ended");
  });

  it("is unknown in another PID namespace and on another boot", () => {
    const me = identify(process.pid) ?? assert.fail();
    const gone = { ...me, pid: 2 ** 22 + 1 };
    assert.equal(fateOf(gone), "ended");
    assert.equal(fateOf({ ...gone, namespace: "1" }), "unknown");
    assert.equal(fateOf({ ...gone, boot: "b00f" }), "unknown");
  });
});

describe("the lock of an engine", function () {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  const lockOf = (pid: number, at: number) => ({ host: hostname(), pid, since: seconds(at) });

  it("is left behind only if its engine is recorded and has ended", async () => {
    const child = sleeper();
    const pid = child.pid ?? 0;
    assert.equal(hasEnded(lockOf(pid, Date.now())), false, "nothing is recorded");
    const run = EngineRun.begin(pid);
    // Not from before the run, in whose second it is otherwise only if nothing takes long in between.
    const lock = lockOf(pid, Date.now());
    assert.deepEqual([hasEnded(lock), isRunningHere(lock)], [false, true]);
    await kill(child);
    assert.deepEqual([hasEnded(lock), isRunningHere(lock)], [true, false]);
    run.end(true);
    assert.equal(hasEnded(lock), false, "a run that ended in order leaves no lock");
  });

  it("is kept if its process was not recorded, even if no process has its id", () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    assert.equal(hasEnded(lockOf(pid, Date.now())), false);
    assert.equal(hasEnded(lockOf(pid, Date.parse("2026-01-01T00:00:00Z"))), false);
  });

  it("is not left behind by an ended engine with the same host and process id at another time", async () => {
    const child = sleeper();
    const pid = child.pid ?? 0;
    const run = EngineRun.begin(pid);
    run.locked();
    await kill(child);
    try {
      assert.equal(hasEnded(lockOf(pid, Date.now())), true);
      assert.equal(hasEnded(lockOf(pid, Date.now() + 5_000)), false, "it had its lock before");
      assert.equal(hasEnded(lockOf(pid, Date.now() - 5_000)), false, "it had not begun");
      assert.equal(hasEnded({ ...lockOf(pid, Date.now()), host: "elsewhere" }), false);
    } finally {
      run.end(true);
    }
  });

  it("is left behind by an engine that ended elsewhere, but never by one that runs here", () => {
    const at = Date.now();
    const elsewhere: EngineRecord = { host: "elsewhere", pid: 7, at, identity: { ...other(), pid: 7 } };
    const lock = { host: "elsewhere", pid: 7, since: seconds(at) };
    assert.equal(hasEnded(lock), false);
    assert.equal(hasEnded(lock, [elsewhere]), true);
    assert.equal(hasEnded({ ...lock, since: seconds(at + 120_000) }, [elsewhere]), false);
    const me = { host: hostname(), pid: process.pid, at, identity: identify(process.pid) };
    assert.equal(hasEnded(lockOf(process.pid, at), [me]), false);
  });
});

const other = (): ProcessIdentity => ({ boot: "b00f", namespace: "1", pid: 1, start: "1" });

describe("an engine in a container with the same host name", function () {
  before(function () {
    if (spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0) return;
    console.log("      skipped: unshare --pid is not permitted here");
    this.skip();
  });
  const contained = (code: string): unknown => {
    const { stdout, stderr } = spawnSync(
      "unshare",
      ["--pid", "--fork", "--mount-proc", process.execPath, "--import", "tsx", "-e", code],
      { cwd: projectRoot(), encoding: "utf8" },
    );
    return JSON.parse(stdout || `"${stderr}"`) as unknown;
  };
  const engines = JSON.stringify(path.join(projectRoot(), "foundation/process/engines.ts"));

  it("never release the lock of each other's running engine, whatever its process id", async () => {
    const child = sleeper();
    const pid = child.pid ?? 0;
    const run = EngineRun.begin(pid);
    const lock = { host: hostname(), pid, since: seconds(Date.now()) };
    try {
      const code = `console.log(JSON.stringify(require(${engines}).hasEnded(${JSON.stringify(lock)})))`;
      assert.equal(contained(code), false);
      await kill(child);
      assert.equal(contained(code), false, "it can't see that");
      assert.equal(hasEnded(lock), true);
    } finally {
      run.end(true);
    }
  });

  it("have different identities for their process 1", () => {
    const code = `const { EngineRun } = require(${engines}); const run = EngineRun.begin(process.pid);
      run.end(true); console.log(JSON.stringify(run.record))`;
    const record = contained(code) as EngineRecord;
    assert.deepEqual([record.host, record.pid], [hostname(), 1]);
    const identity = record.identity ?? assert.fail();
    assert.equal(identity.boot, identify(process.pid)?.boot);
    assert.notEqual(identity.namespace, identify(process.pid)?.namespace);
    assert.equal(fateOf(identity), "unknown");
  });
});

describe("a user without a name, as in containers", function () {
  before(function () {
    if (process.getuid?.() !== 0) this.skip();
  });

  it("takes and records locks by its id, and detects its engines that have ended", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-nameless-"));
    chmodSync(folder, 0o777);
    const code = `
      const { EngineRun, hasEnded } = require("./foundation/process/engines.ts");
      const { withStackLock } = require("./engine/pulumi/state/guarded.ts");
      const { begun } = require("./kubernetes/owners/record.ts");
      const { holderOf } = require("./cli/lock/holder.ts");
      process.setuid(4711);
      const child = require("node:child_process").spawn("sleep", ["600"]);
      const run = EngineRun.begin(child.pid);
      child.once("exit", async () => {
        const lock = { ...run.record, since: new Date().toISOString() };
        const { changedBy } = begun(undefined, { stack: "s", backend: "b", generation: 0 }, "o");
        const names = [changedBy, holderOf({}, {}).user].map((each) => each.split("@")[0]);
        const files = { listLocks: async () => [], removeLock: async () => {} };
        files.writeLock = async (_, text) => names.push(JSON.parse(text).username);
        await withStackLock(files, async () => {});
        console.log(JSON.stringify([hasEnded(lock), names]));
      }).kill();`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "-e", code], {
      cwd: projectRoot(),
      encoding: "utf8",
      env: { ...process.env, TMPDIR: folder },
    });
    rmSync(folder, { recursive: true });
    assert.deepEqual(JSON.parse(stdout || JSON.stringify(stderr)), [true, ["4711", "4711", "4711"]]);
  });
});

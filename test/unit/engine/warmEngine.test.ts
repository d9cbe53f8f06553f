import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { onStart } from "../../../engine/pulumi/pulumi";
import { findEngine, keepsOpen, WarmEngine } from "../../../engine/pulumi/warmEngine";

/** Answers as the program does, with what the first argument asks for. */
const ENGINE = `#!${process.execPath}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { args, folder, env, end } = JSON.parse(line);
  if (args[0] === "die") process.kill(process.pid, "SIGKILL");
  if (args[0] === "warn") process.stderr.write("there was a problem deleting the lock");
  const code = args[0] === "fail" ? 255 : 0;
  process.stderr.write((code === 0 ? "" : "error: update failed") + end);
  process.stdout.write(JSON.stringify({ pid: process.pid, args, folder, env }) + end + code + "\\n");
});
`;

describe("the warm engine", function () {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-engine-"));
  const program = path.join(folder, "pulumi-engine");
  const started: WarmEngine[] = [];
  const start = (): WarmEngine => {
    const engine = new WarmEngine(program);
    started.push(engine);
    return engine;
  };

  before(function () {
    if (process.platform === "win32") this.skip();
    writeFileSync(program, ENGINE);
    chmodSync(program, 0o755);
  });
  after(() => {
    for (const engine of started) engine.close();
    rmSync(folder, { recursive: true });
  });

  it("runs commands one after the other in one process, each with its folder and variables", async () => {
    const engine = start();
    const pids: number[] = [];
    onStart(({ pid }) => Promise.resolve(void pids.push(pid)));
    const runs = [];
    for (const stack of ["red", "blue"]) {
      const { code, stdout } = await engine.run(["up", "--stack", stack], { folder }, { COLOUR: stack });
      assert.equal(code, 0);
      runs.push(JSON.parse(stdout) as { pid: number; args: string[]; folder: string; env: object });
    }
    assert.equal(runs[0]?.pid, runs[1]?.pid);
    assert.deepEqual(
      pids,
      runs.map(({ pid }) => pid),
      "each lock is known for ours",
    );
    assert.deepEqual(runs[1]?.args, ["up", "--stack", "blue", "--non-interactive", "--color=never"]);
    assert.deepEqual(runs[1]?.env, { COLOUR: "blue" });
    assert.equal(runs[1]?.folder, folder);
    assert.equal(engine.status(), "ready");
  });

  it("starts a run only after its process id is recorded", async () => {
    const engine = start();
    const order: string[] = [];
    let noted = (): void => undefined;
    let isOnly = true;
    onStart(() => {
      // Listeners stay; later tests are not to wait.
      if (!isOnly) return Promise.resolve();
      isOnly = false;
      return new Promise<void>((resolve) => (noted = resolve));
    });
    const running = engine.run(["up", "--stack", "red"], { folder }, {}).then(() => order.push("run"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push("noted");
    noted();
    await running;
    assert.deepEqual(order, ["noted", "run"]);
  });

  it("fails a run at once if it ends before its process id is recorded", async () => {
    const engine = start();
    let isOnly = true;
    let pid = 0;
    onStart((run) => {
      if (!isOnly) return Promise.resolve();
      isOnly = false;
      pid = run.pid;
      return new Promise<void>(() => undefined);
    });
    const running = engine.run(["up", "--stack", "red"], { folder }, {});
    process.kill(pid, "SIGKILL");
    assert.match((await running).stderr, /was ended by SIGKILL in the middle of the update of stack red/);
  });

  it("takes no other run after a failure", async () => {
    const engine = start();
    const { code, stderr } = await engine.run(["fail"], { folder }, {});
    assert.deepEqual([code, stderr], [255, "error: update failed"]);
    assert.equal(engine.status(), "ended");
  });

  it("takes no other run after a success with a warning", async () => {
    const engine = start();
    assert.equal((await engine.run(["warn"], { folder }, {})).code, 0);
    assert.equal(engine.status(), "ended");
  });

  it("is replaced after a run that leaves it with too much memory", async function () {
    if (process.platform !== "linux") this.skip();
    const engine = new WarmEngine(program, 1);
    started.push(engine);
    assert.equal((await engine.run(["up"], { folder }, {})).code, 0);
    assert.equal(engine.status(), "worn");
    const other = start();
    assert.equal((await other.run(["fail"], { folder }, {})).code, 255);
    assert.equal(other.status(), "ended", "a failure is not wear");
  });

  it("reports that it was killed", async () => {
    const engine = start();
    const { code, stderr } = await engine.run(["die"], { folder }, {});
    assert.notEqual(code, 0);
    assert.match(stderr, /the engine \(pulumi\) was ended by SIGKILL in the middle of its work/);
    assert.equal(engine.status(), "ended");
  });

  it("reports a failed start as a failed run", async () => {
    const engine = new WarmEngine(path.join(folder, "nothing"));
    const { code, stderr } = await engine.run(["up"], { folder }, {});
    assert.equal(code, 1);
    assert.match(stderr, /ENOENT/);
  });

  it("is found only beside the Pulumi CLI, which has the same version", () => {
    const other = path.join(folder, "other");
    const search = [other, folder].join(path.delimiter);
    assert.equal(findEngine({ PATH: search }), undefined, "no CLI anywhere");
    writeFileSync(path.join(folder, "pulumi"), "");
    assert.equal(findEngine({ PATH: search }), program);
    assert.equal(findEngine({}), undefined);
  });

  it("is kept only for state in folders and in PostgreSQL", () => {
    const kept = (backend?: string): boolean => keepsOpen({ backend });
    assert.deepEqual(["file:///state", "postgres://host/state"].map(kept), [true, true]);
    assert.deepEqual([undefined, "https://api.pulumi.com", "s3://bucket"].map(kept), [false, false, false]);
  });
});

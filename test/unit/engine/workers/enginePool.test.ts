import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { EnginePool } from "../../../../engine/workers/enginePool";
import type { EngineJob } from "../../../../engine/workers/messages";

/** Notes each start in a file, answers every job but one that hangs, and ends with the service. */
const ENTRY = `
require("node:fs").appendFileSync(process.argv[2], process.pid + "\\n");
process.on("disconnect", () => setTimeout(() => process.exit(), 200));
process.on("message", ({ id }) => id === "acme" && process.send({ type: "result", memoryBytes: 1, result: {
  ok: true, changes: {}, outputs: {}, errors: [], notes: [] } }));
`;

describe("the pool of worker processes", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stackyard-pool-"));
  const starts = path.join(root, "starts");
  const started = (): number[] => readFileSync(starts, "utf8").split("\n").filter(Boolean).map(Number);
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const open = (count: number): EnginePool => {
    const command = [path.join(root, "entry.js"), starts] as const;
    const shared = { command, env: process.env, memoryBytes: 2 ** 32, onSaid: () => undefined };
    return new EnginePool({ ...shared, count, replaceAtBytes: 2 ** 32, maxAgeMs: 60_000 });
  };
  const run = (pool: EnginePool, id = "acme") => pool.run({ id } as EngineJob, { limitMs: 60_000 });

  before(() => {
    writeFileSync(path.join(root, "entry.js"), ENTRY);
  });
  beforeEach(() => {
    rmSync(starts, { force: true });
    appendFileSync(starts, "");
  });
  after(() => rmSync(root, { recursive: true }));

  it("ends all its processes", async () => {
    const pool = open(2);
    await run(pool);
    const pids = [...pool.pids];
    assert.equal(pids.length, 2);
    assert.ok(pids.every(isAlive));
    await pool.end();
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it("ends even if a job hangs", async () => {
    const pool = open(1);
    const running = run(pool, "hang");
    await pool.end();
    assert.ok("broken" in (await running));
    assert.deepEqual(started().filter(isAlive), []);
  });

  it("starts no replacement for a worker that ends after the pool is closed", async () => {
    const pool = open(1);
    const running = run(pool);
    pool.close();
    assert.ok("ok" in (await running));
    await pool.end();
    assert.equal(started().length, 1);
    assert.deepEqual(started().filter(isAlive), []);
  });

  it("runs a job after the pool is closed in a worker that ends with the job", async () => {
    const pool = open(1);
    pool.close();
    assert.ok("ok" in (await run(pool)));
    await pool.end();
    assert.deepEqual(started().filter(isAlive), []);
  });
});

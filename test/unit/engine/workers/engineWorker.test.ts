import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { EngineWorker } from "../../../../engine/workers/engineWorker";
import type { EngineJob } from "../../../../engine/workers/messages";

/** Does what the id of its job says, and reports how its Node.js and the programs below it were started. */
const ENTRY = `
const { spawn } = require("node:child_process");
process.on("SIGINT", () => process.exit(130));
process.on("disconnect", () => process.exit());
process.on("message", ({ id, noted }) => {
  const [what, mib] = noted === undefined ? id.split(" ") : ["plain"];
  const answer = () => process.send({ type: "result", memoryBytes: 1, result: {
    ok: true, changes: {}, outputs: {}, errors: [], notes: [...process.execArgv, "GOGC=" + process.env.GOGC] } });
  if (what === "crash") process.exit(3);
  if (what === "hang") return;
  if (what === "engine") return process.send({ type: "engine", engine: { host: "here", pid: 7, at: 0 } });
  if (what === "plain") return answer();
  const code = "const kept = Buffer.alloc(" + mib + " * 2 ** 20, 1); process.stdout.write('kept'); process.stdin.on('end', () => process.exit(kept[0])).resume();";
  spawn(process.execPath, ["-e", code], { stdio: ["pipe", "pipe", "ignore"] }).stdout.once("data", () => what === "child" && answer());
});
`;

const MIB = 2 ** 20;

describe("a worker process", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stackyard-worker-"));
  const workers: EngineWorker[] = [];
  const start = (memoryBytes = 4_000 * MIB): EngineWorker => {
    const worker = new EngineWorker({
      command: [path.join(root, "entry.js")],
      env: process.env,
      memoryBytes,
      onSaid: () => undefined,
    });
    workers.push(worker);
    return worker;
  };
  const run = (worker: EngineWorker, id: string, limitMs = 60_000) => worker.run({ id } as EngineJob, { limitMs });

  before(() => {
    writeFileSync(path.join(root, "entry.js"), ENTRY);
  });
  afterEach(() => workers.splice(0).forEach((worker) => worker.kill()));
  after(() => rmSync(root, { recursive: true }));

  it("collects garbage early, and so do the programs that it starts", async () => {
    const result = await run(start(), "plain");
    assert.ok("notes" in result);
    const { GOGC = "50" } = process.env;
    assert.deepEqual(result.notes, ["--max-semi-space-size=8", "--heap-growing-percent=30", `GOGC=${GOGC}`]);
  });

  it("starts an engine only after the engine is recorded", async () => {
    const order: string[] = [];
    const onEngine = async ({ pid }: { readonly pid: number }): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      order.push(`engine ${pid} is noted`);
    };
    await start().run({ id: "engine" } as EngineJob, { limitMs: 60_000, onEngine });
    order.push("it has run");
    assert.deepEqual(order, ["engine 7 is noted", "it has run"]);
  });

  it("counts the memory of its engine and providers as its own", async function () {
    if (process.platform !== "linux") this.skip();
    const worker = start();
    await run(worker, "child 100");
    assert.ok(worker.memoryBytes > 100 * MIB, `${worker.memoryBytes}`);
  });

  it("is ended, with its child processes, if an update takes too much memory", async function () {
    if (process.platform !== "linux") this.skip();
    const worker = start(150 * MIB);
    const result = await run(worker, "grow 200");
    assert.ok("broken" in result);
    assert.equal(result.broken, "memory");
    assert.match(result.reason, /^it took \d+ MiB of memory; 150 MiB are allowed$/);
    assert.ok(worker.isLeaving);
  });

  it("is ended if an update hangs", async () => {
    const worker = start();
    // So that the time is not that of its start.
    await run(worker, "plain");
    const result = await run(worker, "hang", 1_000);
    assert.deepEqual(result, { broken: "timeout", reason: "it took longer than 1 seconds" });
    assert.ok(worker.isLeaving);
  });

  it("reports its crash, and takes no other job", async () => {
    const worker = start();
    const result = await run(worker, "crash");
    assert.deepEqual(result, { broken: "died", reason: "its worker process ended before it was done (exit code 3)" });
    assert.ok(worker.isLeaving);
  });
});

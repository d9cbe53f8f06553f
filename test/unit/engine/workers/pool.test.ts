import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { Result } from "../../../../engine/runtime/result";
import { runJobs } from "../../../../engine/workers/pool";
import type { RuntimeJob } from "../../../../engine/workers/rollout";

/** A worker that answers with the options that its Node.js was started with. */
const WORKER = `process.on("message", ({ id }) => process.send({ type: "result", memoryBytes: 1, result: {
  id, ok: true, milliseconds: 0, changes: {}, outputs: {}, errors: [], notes: process.execArgv } }));
process.on("disconnect", () => process.exit());`;

describe("a worker process", () => {
  const [, program = ""] = process.argv;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "stackyard-"));
    process.argv[1] = path.join(folder, "worker.cjs");
    await writeFile(process.argv[1], WORKER);
  });
  after(async () => {
    process.argv[1] = program;
    await rm(folder, { recursive: true });
  });

  it("gets no Node.js options of the command", async () => {
    assert.notDeepEqual(process.execArgv, [], "without options this test proves nothing");
    const results: Result[] = [];
    const job: RuntimeJob = { request: { id: "acme", change: { deployment: {} } }, defaultPlatform: "dev" };
    await runJobs([[job]], { parallel: 1, onResult: (result) => results.push(result) });
    assert.deepEqual(
      results.map(({ id, notes }) => [id, notes.filter((option) => process.execArgv.includes(option))]),
      [["acme", []]],
    );
  });
});

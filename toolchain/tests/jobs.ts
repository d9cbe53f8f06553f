import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { sideLock } from "../yard/sideYards";
import { longestFirst, readDurations, type Sized } from "./durations";
import { EngineWorker } from "./engineWorker";
import type { Lane } from "./lanes";
import { GARDEN_TESTS } from "./garden";
import { countResults, type JobOutcome, type Results } from "./results";

/** The checks, the unit layer, the tests with Gardener's own API server, or a test file of the engine layer. */
export type TestJob = "check" | "unit" | "garden" | { readonly file: string };

const MOCHA = path.join("node_modules", "mocha", "bin", "mocha.js");

/** Folders of the tests that need a yard. */
const LAYERS = ["engine", "service"];

/** Returns the test files that need a yard, the longest ones first. */
export function engineFiles(root: string): { file: string }[] {
  const files = LAYERS.flatMap((layer) => filesOf(root, path.join("test", layer)));
  return longestFirst(files, readDurations(root)).map(({ file }) => ({ file: path.join(root, file) }));
}

const filesOf = (root: string, layer: string): Sized[] =>
  fs
    .readdirSync(path.join(root, layer), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => path.join(layer, name))
    .map((file) => ({ file, size: fs.statSync(path.join(root, file)).size }));

/** Runs jobs with its own engine worker; `report` is called with the outcome of each. */
export function lane(root: string, yard: string, report: (outcome: JobOutcome) => void): Lane<TestJob, JobOutcome> {
  const worker = new EngineWorker(root, yard);
  return {
    async run(job) {
      const started = Date.now();
      const outcome = { ...(await outcomeOf(root, worker, job)), ms: Date.now() - started };
      report(outcome);
      return outcome;
    },
    end: () => worker.end(),
  };
}

async function outcomeOf(root: string, worker: EngineWorker, job: TestJob): Promise<Omit<JobOutcome, "ms">> {
  if (job === "check") {
    const { code, printed } = await printedBy(root, "npm", ["run", "--silent", "check"]);
    return { title: "Checks: types, lint, format", ok: code === 0, printed, passed: 0, failed: 0, skipped: 0 };
  }
  if (job === "unit") {
    const { code, printed } = await printedBy(root, process.execPath, [MOCHA]);
    return { title: "Unit tests", printed, ...judged(countResults(printed), code === 0) };
  }
  if (job === "garden") {
    const tests = (): ReturnType<typeof printedBy> => printedBy(root, process.execPath, [MOCHA, ...GARDEN_TESTS]);
    const { code, printed } = await withLock(sideLock(root, "garden"), tests);
    return { title: "Gardener's own API server", printed, ...judged(countResults(printed), code === 0) };
  }
  const { printed, results } = await worker.run(job.file);
  return {
    title: path.relative(root, job.file),
    printed,
    ...judged(results ?? { passed: 0, failed: 1, skipped: 0 }, true),
  };
}

/** A job in which no test passed counts as failed, except if all of it was skipped. */
export function judged(results: Results, well: boolean): Results & { ok: boolean } {
  return { ...results, ok: well && results.failed === 0 && results.passed + results.skipped > 0 };
}

function printedBy(cwd: string, program: string, args: readonly string[]): Promise<{ code: number; printed: string }> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const hear = (chunk: Buffer): void => void (printed += chunk.toString());
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (cause) => reject(new Error(`${program} could not be started`, { cause })));
    child.on("close", (code) => resolve({ code: code ?? 1, printed }));
  });
}

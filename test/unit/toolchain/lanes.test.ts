import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { keepDurations, longestFirst, readDurations } from "../../../toolchain/tests/durations";
import { EngineWorker } from "../../../toolchain/tests/engineWorker";
import { inLanes, type Lane } from "../../../toolchain/tests/lanes";
import { again } from "../../../toolchain/commands/test";
import { judged, type TestJob } from "../../../toolchain/tests/jobs";
import { verdict } from "../../../toolchain/tests/results";

describe("test lanes", () => {
  const ended: string[] = [];
  const lane = (name: string, work: (job: number) => Promise<string>): Lane<number, string> => ({
    run: work,
    end: () => Promise.resolve(void ended.push(name)),
  });
  beforeEach(() => void ended.splice(0));

  it("share the jobs, and return the results in the order of the jobs", async () => {
    const took: Record<string, number[]> = { slow: [], fast: [] };
    const working = (name: string, ms: number): Lane<number, string> =>
      lane(name, async (job) => {
        took[name]?.push(job);
        await new Promise((resolve) => setTimeout(resolve, ms));
        return `${job}`;
      });
    const jobs = [0, 1, 2, 3, 4, 5];
    assert.deepEqual(await inLanes(jobs, [working("slow", 200), working("fast", 5)]), jobs.map(String));
    assert.deepEqual(took, { slow: [0], fast: [1, 2, 3, 4, 5] });
    assert.deepEqual(ended.sort(), ["fast", "slow"]);
  });

  it("all end if one of them fails, and its error is thrown", async () => {
    const bad = lane("bad", () => Promise.reject(new Error("no yard")));
    const good = lane("good", (job) => Promise.resolve(`${job}`));
    await assert.rejects(inLanes([1, 2, 3], [bad, good]), /no yard/);
    assert.deepEqual(ended.sort(), ["bad", "good"]);
  });
});

describe("an engine test worker", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stackyard-worker-"));
  before(() => {
    mkdirSync(path.join(root, "test", "engine"), { recursive: true });
    symlinkSync(path.join(projectRoot(), "node_modules"), path.join(root, "node_modules"));
    writeFileSync(
      path.join(root, "test", "engine", "worker.ts"),
      `process.on("message", ({ file }) => {
        console.log("runs", file);
        if (file === "bad") process.kill(process.pid, "SIGKILL");
        if (file === "pid") console.log(process.pid);
        console.log('\\u0000results {"passed":2,"failed":' + (file === "fails" ? 1 : 0) + '}');
      });`,
    );
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it("reports how its process ended, and continues with the next file", async () => {
    const worker = new EngineWorker(root, path.join(root, "yard"));
    const bad = await worker.run("bad");
    assert.equal(bad.results, undefined);
    assert.match(bad.printed, /^runs bad\n.*ended before the file did: SIGKILL\n$/);
    assert.deepEqual(await worker.run("good"), { printed: "runs good\n", results: { passed: 2, failed: 0 } });
    await worker.end();
  });

  it("has a new process for the file after a failed file", async () => {
    const worker = new EngineWorker(root, path.join(root, "yard"));
    const pid = async (): Promise<string> => (await worker.run("pid")).printed;
    const first = await pid();
    assert.equal(await pid(), first);
    assert.equal((await worker.run("fails")).results?.failed, 1);
    assert.notEqual(await pid(), first);
    await worker.end();
  });
});

describe("a second run of test files", () => {
  const jobs: TestJob[] = ["check", "unit", ...Array.from({ length: 8 }, (_, at) => ({ file: `${at}.test.ts` }))];
  const outcomes = (...failed: number[]): Parameters<typeof again>[1] =>
    jobs.map((_, at) => ({
      passed: 1,
      failed: 0,
      skipped: 0,
      ok: !failed.includes(at),
      ms: 1,
      title: `${at}`,
      printed: "",
    }));

  it("includes failed files, but never the checks", () => {
    assert.deepEqual(again(jobs, outcomes()), []);
    assert.deepEqual(again(jobs, outcomes(0, 1, 4)), [1, 4]);
  });

  it("does not happen after more than five failures", () => {
    assert.deepEqual(again(jobs, outcomes(1, 2, 3, 4, 5)), [1, 2, 3, 4, 5]);
    assert.deepEqual(again(jobs, outcomes(1, 2, 3, 4, 5, 6)), []);
  });

  it("names files that passed only in the second run", () => {
    const { text } = verdict(outcomes(2, 3), outcomes(3), false);
    assert.match(text, /^! unstable, passed the second time: 2\n/m);
    assert.doesNotMatch(text, /time: 3/);
  });

  it("fails a strict run even if it passes", () => {
    const passes = (first: number[], last: number[], strict: boolean): boolean =>
      verdict(outcomes(...first), outcomes(...last), strict).passed;
    assert.equal(passes([], [], true), true);
    assert.equal(passes([2], [], false), true);
    assert.equal(passes([2], [], true), false);
    assert.equal(passes([2], [2], false), false);
    assert.match(
      verdict(outcomes(2), outcomes(), true).text,
      /STRICT=1 allows no unstable tests\n10 passed, 0 failed\n$/,
    );
  });
});

describe("the end of the log of make test", () => {
  it("repeats the failures, and the whole output of failed checks", () => {
    const outcome = { passed: 1, failed: 0, skipped: 0, ok: true, ms: 1, title: "fine", printed: "  1 passing\n" };
    const printed = "  a long log\n\n  4 passing\n  1 failing\n\n  1) a runtime\n       is kept:\n";
    const outcomes = [
      outcome,
      { ...outcome, title: "runtimes", ok: false, failed: 1, printed },
      { ...outcome, title: "Checks", ok: false, printed: "a.ts(1,1): error TS1\n" },
    ];
    const { text } = verdict(outcomes, outcomes, false);
    assert.equal(
      text,
      "✗ runtimes\n  1 failing\n\n  1) a runtime\n       is kept:\n\n✗ Checks\na.ts(1,1): error TS1\n\n" +
        "✗ runtimes: 1 failed\n✗ Checks\n3 passed, 1 failed\n",
    );
  });

  it("names the files whose tests were all skipped, which is no failure", () => {
    const outcome = { title: "tests with a program", printed: "", ms: 1 };
    const results = (passed: number, failed: number, skipped: number) => ({ passed, failed, skipped });
    const skipped = judged(results(0, 0, 3), true);
    assert.equal(skipped.ok, true);
    const { text, passed } = verdict([], [{ ...outcome, ...skipped }], true);
    assert.equal(text, "\n- tests with a program: skipped\n0 passed, 0 failed\n");
    assert.ok(passed);
    for (const [failed, well] of [
      [results(0, 0, 0), true],
      [results(0, 1, 3), true],
      [results(0, 0, 3), false],
    ] as const)
      assert.equal(judged(failed, well).ok, false);
    assert.doesNotMatch(verdict([], [{ ...outcome, ...judged(results(2, 0, 1), true) }], true).text, /skipped/);
  });

  it("names unstable files before those that failed twice", () => {
    const outcome = (title: string, ok: boolean) => ({
      ...{ passed: 1, failed: ok ? 0 : 1, skipped: 0, ok, ms: 1, title, printed: "" },
    });
    const first = [outcome("unstable", false), outcome("broken", false)];
    const { text } = verdict(first, [outcome("unstable", true), outcome("broken", false)], false);
    assert.match(text, /^! unstable, .*unstable\n[^]*^✗ broken\n[^]*\n✗ broken: 1 failed\n2 passed, 1 failed\n$/m);
  });
});

describe("the order of test files", () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "stackyard-durations-"))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const order = (sizes: Record<string, number>): string[] =>
    longestFirst(
      Object.entries(sizes).map(([file, size]) => ({ file, size })),
      readDurations(root),
    ).map(({ file }) => file);

  it("follows file sizes before the first run, and durations afterwards", () => {
    assert.deepEqual(order({ small: 10, large: 90 }), ["large", "small"]);
    keepDurations(root, { small: 5000, large: 400 });
    assert.deepEqual(order({ small: 10, large: 90 }), ["small", "large"]);
  });

  it("estimates a new file from files of the same size", () => {
    keepDurations(root, { long: 9000, short: 1000 });
    assert.deepEqual(order({ short: 50, new: 50, long: 50 }), ["long", "new", "short"]);
    assert.deepEqual(order({ short: 50, new: 200, long: 50 }), ["new", "long", "short"]);
  });

  it("keeps the durations of files that did not run", () => {
    keepDurations(root, { one: 100, two: 200 });
    keepDurations(root, { two: 50 });
    assert.deepEqual(readDurations(root), { one: 100, two: 50 });
  });

  it("follows file sizes if the durations are damaged", () => {
    keepDurations(root, { small: 5000 });
    const folder = path.join(root, "node_modules", ".cache", "stackyard");
    const [file = ""] = readdirSync(folder);
    for (const text of ["", "{", "null", '{ "small": "long", "large": -1 }']) {
      writeFileSync(path.join(folder, file), text);
      assert.deepEqual(order({ small: 10, large: 90 }), ["large", "small"], text);
    }
  });
});

import * as fs from "node:fs";
import * as os from "node:os";
import { withLock } from "../bootstrap/lock.js";
import { duration, say } from "../bootstrap/progress.js";
import { keepDurations } from "../tests/durations";
import { hasGardener } from "../tests/garden";
import { engineFiles, lane, type TestJob } from "../tests/jobs";
import { inLanes } from "../tests/lanes";
import { verdict, type JobOutcome } from "../tests/results";
import { ensureTools } from "../tools/ensure";
import { karpenter } from "../tools/karpenter";
import { yardNode } from "../tools/yardNode";
import { noProcessNode } from "../yard/processNode/node";
import { sdkGenerator } from "../tools/sdkGenerator";
import { makeLinks, packagedPostgres } from "../yard/postgres/binaries";
import { sideLock, testYard } from "../yard/sideYards";

/** More failures can't be caused by a busy machine. */
const MOST = 5;

/**
 * Returns the indexes of jobs to run a second time, alone. On a fully loaded machine, one test in thousands may miss a
 * timeout; a bug fails twice. Checks are never repeated, because they only depend on the files.
 */
export function again(jobs: readonly TestJob[], outcomes: readonly JobOutcome[]): readonly number[] {
  const failed = outcomes.flatMap(({ ok }, at) => (ok || jobs[at] === "check" ? [] : [at]));
  return failed.length > MOST ? [] : failed;
}

/** Memory of a yard with its database, API server, and what tests start on it. */
const LANE_BYTES = 3e9;

/** More lanes than cores, because tests wait for a third of their time. */
const WAITING_LANES = 1;

/**
 * `make test`: runs checks and all layers of tests in parallel, on one lane more than there are cores. Everything runs
 * in spite of failures, which are repeated at the end; the last line is the result. Failed test files run a second
 * time, alone. With `STRICT=1` they fail the run even if they pass then, as for a release.
 */
export function test(root: string): Promise<number> {
  return withLock(
    sideLock(root, "test"),
    () => everything(root),
    (holder) => say(`• Tests of this checkout run in process ${holder}; waiting`),
  );
}

async function everything(root: string): Promise<number> {
  await ensureTools(root);
  const node = noProcessNode() === undefined ? [yardNode] : [];
  await ensureTools(root, [karpenter, sdkGenerator, ...node]);
  makeLinks(packagedPostgres(root));

  const own: TestJob[] = hasGardener(root) ? ["check", "unit", "garden"] : ["check", "unit"];
  if (!own.includes("garden")) say("• Skipped: the tests with Gardener's own API server, which make garden builds");
  const jobs = [...own, ...engineFiles(root)];
  const lanes = Math.max(
    1,
    Math.min(os.availableParallelism() + WAITING_LANES, Math.floor(os.totalmem() / LANE_BYTES)),
  );
  say(`• Checks, unit tests, and ${jobs.length - own.length} files of engine tests, ${lanes} at a time`);
  let ended = 0;
  const report = (place: string, { title, ok, printed, ms }: JobOutcome): void => {
    process.stdout.write(`\n• ${title} (${place})\n${printed}`);
    say(`${ok ? "✓" : "✗"} ${title}: ${duration(ms)}`);
  };
  const first = await inLanes(
    jobs,
    Array.from({ length: lanes }, (_, at) =>
      lane(root, testYard(root, at + 1), (outcome) => report(`${(ended += 1)} of ${jobs.length}`, outcome)),
    ),
  );
  keepDurations(root, Object.fromEntries(first.map(({ title, ms }) => [title, ms])));
  const repeated = again(jobs, first);
  const second = await inLanes(
    repeated.map((at) => jobs[at]!),
    [lane(root, testYard(root, 1), (outcome) => report("again, by itself", outcome))],
  );
  const outcomes = first.map((outcome, at) => second[repeated.indexOf(at)] ?? outcome);
  const { text, passed } = verdict(first, outcomes, process.env["STRICT"] === "1");
  // GitHub shows this file on the page of the run.
  const page = process.env["GITHUB_STEP_SUMMARY"];
  if (page) fs.appendFileSync(page, `\`\`\`\n${text}\`\`\`\n`);
  process.stdout.write(`\n${text}`);
  return passed ? 0 : 1;
}

import { stripVTControlCharacters } from "node:util";

/** Number of tests that passed, failed, and were skipped, as those whose programs are not installed. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Outcome of a job: its tests, whether it succeeded as a whole, and its output. */
export interface JobOutcome extends Results {
  readonly title: string;
  readonly ok: boolean;
  readonly printed: string;
  readonly ms: number;
}

/** Reads the counts in mocha's last lines (`12 passing (3s)`, `1 failing`, `3 pending`). */
export function countResults(printed: string): Results {
  const plain = stripVTControlCharacters(printed);
  const last = (word: string): number =>
    Number([...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("passing"), failed: last("failing"), skipped: last("pending") };
}

/**
 * Text and result of a run. `first` are the outcomes before failed files were repeated. A strict run fails if a file
 * passed only when it was repeated. Pure.
 */
export function verdict(
  first: readonly JobOutcome[],
  last: readonly JobOutcome[],
  strict: boolean,
): { readonly text: string; readonly passed: boolean } {
  const repeated = unstable(first, last);
  const failed = last.filter(({ ok }) => !ok);
  const fails = strict && repeated !== "" ? "Failed, because STRICT=1 allows no unstable tests\n" : "";
  return {
    text: `${repeated}${failures(failed)}\n${fails}${skips(last)}${names(failed)}${summary(sum(last))}\n`,
    passed: last.every(({ ok }) => ok) && fails === "",
  };
}

type Ended = Pick<Results, "passed" | "failed">;

/** Adds up the tests of all jobs. */
function sum(outcomes: readonly Ended[]): Ended {
  return outcomes.reduce((all, { passed, failed }) => ({ passed: all.passed + passed, failed: all.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/** Repeats all failures at the end of the log, where users look for them. */
const failures = (failed: readonly JobOutcome[]): string =>
  failed.map(({ title, printed }) => `✗ ${title}\n${fromFailures(printed)}`).join("\n");

/** Names the files of which no test ran, so that nobody takes them for passed. */
const skips = (last: readonly JobOutcome[]): string =>
  last
    .map(({ title, ok, passed, skipped }) => (ok && passed === 0 && skipped > 0 ? `- ${title}: skipped\n` : ""))
    .join("");

/** Names what failed once more, for readers who get the last lines only. */
const names = (failed: readonly JobOutcome[]): string =>
  failed.map(({ title, failed: count }) => `✗ ${title}${count > 0 ? `: ${count} failed` : ""}\n`).join("");

/**
 * Lists the files that failed beside others and passed alone, with the first failure, so that they can be made stable.
 */
function unstable(first: readonly JobOutcome[], last: readonly JobOutcome[]): string {
  return first
    .filter(({ ok }, at) => !ok && last[at]?.ok === true)
    .map(({ title, printed }) => `! unstable, passed the second time: ${title}\n${fromFailures(printed)}`)
    .join("\n");
}

/** Mocha prints failures last; for a job that failed otherwise, the whole output counts. */
function fromFailures(printed: string): string {
  const plain = stripVTControlCharacters(printed);
  const at = plain.search(/^\s*\d+ failing\b/m);
  return at < 0 ? plain : plain.slice(at);
}

/** The last line of a run of all layers. */
function summary({ passed, failed }: Ended): string {
  return `${passed} passed, ${failed} failed`;
}

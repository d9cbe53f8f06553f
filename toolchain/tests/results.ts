import { stripVTControlCharacters } from "node:util";

/** How many tests passed and failed. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
}

/** What became of a job: its tests, whether it went well as a whole, and what it printed. */
export interface Outcome extends Results {
  readonly title: string;
  readonly ok: boolean;
  readonly printed: string;
  readonly ms: number;
}

/** Counts of mocha's closing lines (`12 passing (3s)`, `1 failing`): the last of each kind. */
export function countResults(printed: string): Results {
  const plain = stripVTControlCharacters(printed);
  const last = (word: string): number =>
    Number([...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("passing"), failed: last("failing") };
}

/** Tests of all jobs together. */
export function sum(outcomes: readonly Results[]): Results {
  return outcomes.reduce((all, { passed, failed }) => ({ passed: all.passed + passed, failed: all.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/** Everything that went wrong once more, because the end of a long log is what people read. */
export function failures(outcomes: readonly Outcome[]): string {
  return outcomes
    .filter(({ ok }) => !ok)
    .map(({ title, printed }) => `✗ ${title}\n${fromFailures(printed)}`)
    .join("\n");
}

/** What failed beside other tests and passed by itself, with the first failure, so that somebody makes it stable. */
export function unstable(first: readonly Outcome[], last: readonly Outcome[]): string {
  return first
    .filter(({ ok }, at) => !ok && last[at]?.ok === true)
    .map(({ title, printed }) => `! unstable, passed the second time: ${title}\n${fromFailures(printed)}`)
    .join("\n");
}

/** Mocha prints failures last; of a job that failed in another way, all of it counts. */
function fromFailures(printed: string): string {
  const plain = stripVTControlCharacters(printed);
  const at = plain.search(/^\s*\d+ failing\b/m);
  return at < 0 ? plain : plain.slice(at);
}

/** The line that a run of all layers ends with. */
export function summary({ passed, failed }: Results): string {
  return `${passed} passed, ${failed} failed`;
}

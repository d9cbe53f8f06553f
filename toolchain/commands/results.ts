import { stripVTControlCharacters } from "node:util";

/** Tests of one or more layers. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
}

export const NOTHING: Results = { passed: 0, failed: 0 };

/** Counts of mocha's closing lines (`12 passing (3s)`, `1 failing`): the last of each kind. */
export function countResults(printed: string): Results {
  const plain = stripVTControlCharacters(printed);
  const last = (word: string): number =>
    Number([...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("passing"), failed: last("failing") };
}

export function add(one: Results, other: Results): Results {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** The line that a run of all layers ends with. */
export function summary({ passed, failed }: Results): string {
  return `${passed} passed, ${failed} failed`;
}

import * as fs from "node:fs";
import * as path from "node:path";

/** Duration of each test file's last run in milliseconds, by its path in the checkout. */
type Durations = Readonly<Record<string, number>>;

/** In the cache and not committed, because it depends on the machine. */
const fileOf = (root: string): string => path.join(root, "node_modules", ".cache", "stackyard", "test-durations.json");

/** Empty if no tests ran yet, or if the file is damaged; files are then ordered by size. */
export function readDurations(root: string): Durations {
  try {
    const found: unknown = JSON.parse(fs.readFileSync(fileOf(root), "utf8"));
    return typeof found === "object" && found !== null ? (found as Durations) : {};
  } catch {
    return {};
  }
}

/** Stores the durations of this run, and keeps those of files that did not run. */
export function keepDurations(root: string, durations: Durations): void {
  const file = fileOf(root);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...readDurations(root), ...durations }));
}

/** A test file with its size in bytes. */
export interface Sized {
  readonly file: string;
  readonly size: number;
}

/**
 * Sorts files by duration, longest first, so that no long one starts last. The duration of a new file is estimated from
 * its size.
 */
export function longestFirst<File extends Sized>(files: readonly File[], durations: Durations): File[] {
  const known = files.filter(({ file }) => isDuration(durations[file]));
  const size = known.reduce((sum, each) => sum + each.size, 0);
  const perByte = size > 0 ? known.reduce((sum, { file }) => sum + (durations[file] ?? 0), 0) / size : 1;
  const expected = ({ file, size }: Sized): number => (isDuration(durations[file]) ? durations[file] : size * perByte);
  return files.toSorted((one, other) => expected(other) - expected(one));
}

const isDuration = (value: unknown): value is number => typeof value === "number" && value > 0;

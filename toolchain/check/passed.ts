import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** With the caches of the other tools: `rm -r node_modules/.cache` checks everything again. */
const fileOf = (root: string): string => join(root, "node_modules", ".cache", "stackyard", "checked.json");

/** Digests of the files that passed last time. None if nothing was checked yet, or if the file is damaged. */
export function readPassed(root: string): ReadonlySet<string> {
  try {
    const found: unknown = JSON.parse(readFileSync(fileOf(root), "utf8"));
    return new Set(Array.isArray(found) ? found.filter((each) => typeof each === "string") : []);
  } catch {
    return new Set();
  }
}

export function writePassed(root: string, digests: Iterable<string>): void {
  mkdirSync(dirname(fileOf(root)), { recursive: true });
  writeFileSync(fileOf(root), JSON.stringify([...digests]));
}

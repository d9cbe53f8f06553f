/**
 * `npx tsx toolchain/upgrade/maintained.ts` asks the registries about what a release contains, and fails on a dependency
 * that is a prerelease or had no release for a year, unless `reasons.json` says why it stays.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as semver from "semver";
import { dependencies } from "../../package.json";
import { projectRoot } from "../root";
import { goReleased, goRequired, npmReleased } from "./registries";

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** Folders in toolchain/go of programs in the service's image. */
const GO = ["pulumi"];

export interface Dependency {
  readonly name: string;
  /** The version that is used. */
  readonly version: string;
  /** When its newest release was made; undefined if the registry knows none. */
  readonly released: Date | undefined;
}

/** What needs a reason and has none, and reasons of what is no dependency any more. Pure. */
export function unmaintained(
  all: readonly Dependency[],
  reasons: Readonly<Record<string, string>>,
  now: Date,
): string[] {
  const faults = all.flatMap(({ name, version, released }) => {
    if (name in reasons) return [];
    const at = `${name} ${version}`;
    if (semver.prerelease(version) !== null) return [`${at} is a prerelease`];
    if (released === undefined) return [`${at}: the registry has no date of a release`];
    if (now.getTime() - released.getTime() <= YEAR_MS) return [];
    return [`${at}: the last release was on ${released.toISOString().slice(0, 10)}`];
  });
  const names = new Set(all.map(({ name }) => name));
  const gone = Object.keys(reasons).filter((name) => !names.has(name));
  return [...faults, ...gone.map((name) => `reasons.json: ${name} is no dependency; remove it`)];
}

async function main(): Promise<number> {
  const root = projectRoot();
  const reasons = JSON.parse(readFileSync(join(__dirname, "reasons.json"), "utf8")) as Record<string, string>;
  const all: Dependency[] = [];
  for (const [name, version] of Object.entries(dependencies))
    all.push({ name, version, released: await npmReleased(name, root) });
  for (const folder of GO) {
    for (const { name, version } of await goRequired(folder, root))
      all.push({ name, version, released: await goReleased(name, root) });
  }
  const faults = unmaintained(all, reasons, new Date());
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0)
    process.stderr.write("replace them, or write the reason into toolchain/upgrade/reasons.json\n");
  else process.stdout.write(`${all.length} dependencies are maintained, or have a reason\n`);
  return faults.length > 0 ? 1 : 0;
}

if (require.main === module) {
  main().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

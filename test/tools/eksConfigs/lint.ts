/** Lints resources by the schemas of AWS, as they come with cfn-lint. */

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../../foundation/errors";
import type { Node } from "../../engine/snapshots/graph";
import { templateOf } from "../../engine/eks/cloudFormation";

const run = promisify(execFile);

interface Match {
  readonly Level: string;
  readonly Message: string;
  readonly Filename: string;
  readonly Location: { readonly Path: readonly (string | number)[] };
}

/** Resources of a cluster. */
export interface Linted {
  /** Names the file of its template. */
  readonly label: string;
  readonly region: string;
  readonly graph: readonly Node[];
}

/**
 * Errors by resource: `label: type name path: message`. A resource that was seen before in its region is not linted
 * again. `seen`: those of earlier calls.
 */
export async function lint(
  all: readonly Linted[],
  { python, folder, seen = new Set<string>() }: { python: string; folder: string; seen?: Set<string> },
): Promise<string[]> {
  const written = all.map(({ label, region, graph }) => {
    const fresh = graph.filter(({ type, inputs }) => {
      const key = JSON.stringify([region, type, inputs]);
      return !seen.has(key) && seen.add(key);
    });
    const { template, names } = templateOf(fresh);
    const file = path.join(folder, `${label}.json`);
    writeFileSync(file, JSON.stringify(template));
    return { file, label, region, names, isEmpty: Object.keys(names).length === 0 };
  });
  const found: string[] = [];
  for (const region of new Set(written.map((each) => each.region))) {
    const here = written.filter((each) => each.region === region && !each.isEmpty);
    if (here.length === 0) continue;
    const args = ["--format", "json", "--regions", region, "--", ...here.map(({ file }) => file)];
    for (const { Level, Message, Filename, Location } of await matches(python, args)) {
      const { label, names } = here.find(({ file }) => file === Filename)!;
      const [, id, , ...rest] = Location.Path;
      if (Level === "Error") found.push(`${label}: ${names[String(id)] ?? ""} ${rest.join(".")}: ${Message}`);
    }
  }
  return found;
}

/** What cfn-lint prints. Its exit code counts what it found, and from 16 on it has failed. */
async function matches(python: string, args: readonly string[]): Promise<Match[]> {
  const cfnLint = path.join(path.dirname(python), "cfn-lint");
  const { stdout } = await run(python, [cfnLint, ...args], { maxBuffer: 1e8 }).catch(
    (error: { code?: number; stdout?: string; stderr?: string }) => {
      if (typeof error.code === "number" && error.code < 16 && error.stdout?.trim()) return { stdout: error.stdout };
      throw new Error(`cfn-lint failed: ${error.stderr ?? messageOf(error)}`);
    },
  );
  return JSON.parse(stdout) as Match[];
}

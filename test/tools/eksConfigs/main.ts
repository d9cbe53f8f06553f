/**
 * Generates clusters on EKS at random, and lints everything that the product creates for them by the schemas of AWS.
 * `--count` clusters, from `--seed` on; those that a preview refuses are not counted.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../../../toolchain/root";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { graphs } from "./graph";
import { lint } from "./lint";

/** Clusters for one run of cfn-lint, which takes seconds to start. */
const BATCH = 50;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<boolean> {
  // The program of each cluster logs what a preview shows.
  console.log = console.warn = () => undefined;
  const options = { count: { type: "string", default: "300" }, seed: { type: "string", default: "1" } } as const;
  const { values } = parseArgs({ options });
  const count = Number(values.count);
  const environment = await pythonEnvironment("cfn", projectRoot());
  if ("missing" in environment) throw new Error(environment.missing);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-eks-"));
  const seen = new Set<string>();
  let [seed, linted, errors] = [Number(values.seed), 0, 0];
  try {
    while (linted < count) {
      const { made, next } = await graphs(seed, Math.min(BATCH, count - linted));
      const found = await lint(made, { python: environment.python, folder, seen });
      for (const line of found) print(line);
      [seed, linted, errors] = [next, linted + made.length, errors + found.length];
      print(`${linted} clusters with ${seen.size} distinct resources: ${errors} errors`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return errors === 0;
}

void main().then((isFine) => (process.exitCode = isFine ? 0 : 1));

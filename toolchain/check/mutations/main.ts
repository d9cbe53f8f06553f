/**
 * Changes conditions and constants of the product at random, one at a time, and prints the changes that no unit test
 * fails on. `--seed` picks other ones, `--least` fails below a number of caught ones.
 */

import { availableParallelism } from "node:os";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { importGraph, isGenerated, readSources } from "../importGraph";
import { projectRoot } from "../../root";
import { inLanes } from "../../tests/lanes";
import { seededRandom } from "../../tests/random";
import { checkoutCopy } from "./copy";
import { mutantsOf, mutated, sample, type Mutant } from "./mutants";
import { importersIn, nearestTests } from "./nearest";
import { failsOn, LIMIT_MS, passes } from "./runTests";

const PRODUCT =
  /^(?:(?:bundles|cli|components|engine|foundation|kubernetes|policy|provider|runtime|service)\/.*|index)\.ts$/;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    least: { type: "string", default: "0" },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (values.help) return console.log("npm run mutations -- [--count 100] [--seed 1] [--least 0]");
  const [count, seed, least] = [values.count, values.seed, values.least].map(naturalNumber) as [number, number, number];
  const root = projectRoot();
  const sources = readSources(root);
  const importers = importersIn(importGraph(sources));
  const mutants = [...sources].flatMap(([file, text]) =>
    PRODUCT.test(file) && !isGenerated(text) ? mutantsOf(file, text) : [],
  );
  console.error(`${mutants.length} conditions and constants; changing ${count} of them, seed ${seed}`);
  const chosen = sample(mutants, count, seededRandom(seed));
  const tests = new Set(chosen.flatMap(({ file }) => nearestTests(importers, file)));
  const limitMs = Math.max(LIMIT_MS, 2 * (await checkUnchanged(root, [...tests])));
  const lanes = await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
      const copy = await checkoutCopy(root);
      return { run: (mutant: Mutant) => tryOne(copy.folder, mutant), end: () => copy.remove() };
    }),
  );
  let done = 0;
  const tryOne = async (folder: string, mutant: Mutant): Promise<boolean> => {
    const file = path.join(folder, mutant.file);
    const text = sources.get(mutant.file) ?? "";
    fs.writeFileSync(file, mutated(text, mutant));
    const caught = await failsOn(folder, nearestTests(importers, mutant.file), limitMs);
    fs.writeFileSync(file, text);
    console.error(`[${++done}/${count}] ${caught ? "caught  " : "survived"} ${described(mutant)}`);
    return caught;
  };
  const caught = await inLanes(chosen, lanes);
  for (const [at, mutant] of chosen.entries()) if (caught[at] === false) console.log(described(mutant));
  const number = caught.filter(Boolean).length;
  console.log(`${number} of ${chosen.length} caught by unit tests (seed ${seed})`);
  if (number < least) process.exitCode = 1;
}

/** A test that fails without a change would catch every change. Returns how long they take. */
async function checkUnchanged(root: string, tests: readonly string[]): Promise<number> {
  const copy = await checkoutCopy(root);
  const began = Date.now();
  const pass = await passes(copy.folder, tests, { stdio: "inherit" });
  await copy.remove();
  if (!pass) throw new Error("the unit tests fail without a change; see above");
  return Date.now() - began;
}

function naturalNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`found ${JSON.stringify(text)}; expected a number such as 100`);
  return Number(text);
}

const described = ({ file, line, before, after }: Mutant): string => `${file}:${line}  ${before}  →  ${after}`;

void main();

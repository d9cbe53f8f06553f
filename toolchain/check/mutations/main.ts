/**
 * Changes conditions and constants of the product at random, one at a time, and prints the changes that no unit test
 * fails on. `--seed` picks other ones, `--least` fails below a number of caught ones.
 */

import { execFileSync, spawn } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { importGraph, isGenerated, readSources } from "../importGraph";
import { projectRoot } from "../../root";
import { inLanes } from "../../tests/lanes";
import { seededRandom } from "../../tests/random";
import { mutantsOf, mutated, sample, type Mutant } from "./mutants";
import { importersIn, nearestTests } from "./nearest";

/** The nearest tests usually catch a change, and loading few files is fast. */
const BATCHES = [6, 40, Infinity];
/** Time for the tests of a change, which may loop forever, on a machine that runs all tests in less. */
const LIMIT_MS = 10 * 60_000;

const MOCHA = path.join("node_modules", "mocha", "bin", "mocha.js");
const FLAGS = ["--no-config", "--require", "test/unhandledRejections.ts", "--timeout", "60000", "--bail"];

/** Whether one of these test files fails, or does not end in time. Runs the first ones first. */
async function failsOn(folder: string, files: readonly string[], limitMs: number): Promise<boolean> {
  let from = 0;
  for (const size of BATCHES) {
    const batch = files.slice(from, from + size);
    if (batch.length > 0 && !(await passes(folder, batch, { limitMs }))) return true;
    from += size;
  }
  return false;
}

/** Whether all of them pass; `stdio` is where they print. Default of the limit: none. */
function passes(
  cwd: string,
  files: readonly string[],
  { stdio = "ignore", limitMs }: { readonly stdio?: "ignore" | "inherit"; readonly limitMs?: number },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that programs that a test started end with it.
    const child = spawn(process.execPath, ["--import", "tsx", MOCHA, ...FLAGS, ...files], {
      cwd,
      stdio,
      detached: true,
    });
    const end = () => process.kill(-(child.pid ?? 0), "SIGKILL");
    const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** A copy of the checkout, in which files can be changed. */
interface CheckoutCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies the files that Git knows or would add, and links the npm packages. */
async function checkoutCopy(root: string): Promise<CheckoutCopy> {
  const folder = await fs.promises.mkdtemp(path.join(tmpdir(), "stackyard-mutations-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    if (!fs.existsSync(path.join(root, file))) continue;
    await fs.promises.cp(path.join(root, file), path.join(folder, file));
  }
  await fs.promises.symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  // Some tests ask Git for the files of the project.
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
  ])
    execFileSync("git", args, { cwd: folder });
  return { folder, remove: () => fs.promises.rm(folder, { recursive: true, force: true }) };
}

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

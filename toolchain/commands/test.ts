import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { say } from "../bootstrap/progress";
import { ensureTools } from "../tools/ensure";
import { makeLinks, packagedPostgres } from "../yard/postgresBinaries";
import { run } from "./run";
import { add, countResults, NOTHING, summary, type Results } from "./results";

interface Layer {
  readonly title: string;
  readonly args: readonly string[];
}

const MOCHA = path.join("node_modules", "mocha", "bin", "mocha.js");

const LAYERS: readonly Layer[] = [
  { title: "Unit tests", args: [MOCHA] },
  {
    title: "Engine tests: the real Pulumi engine, a control plane and a PostgreSQL of their own",
    args: [MOCHA, "--config", ".mocharc.engine.yaml"],
  },
];

/** Yard of the engine tests, beside the one of `make up`; test/engine/hooks.ts starts and stops it. */
export function testYard(root: string): string {
  return path.join(root, ".yard", "test");
}

/** Held while tests of a checkout run. */
export function testLock(root: string): string {
  return path.join(root, ".yard", "test.lock");
}

/**
 * `make test`: checks and all layers of tests. Every layer runs even when one before it failed, so that one run tells
 * everything; the last line counts the tests of all of them.
 */
export function test(root: string): Promise<number> {
  return withLock(
    testLock(root),
    () => allLayers(root),
    (holder) => say(`• Tests of this checkout run in process ${holder}; waiting`),
  );
}

async function allLayers(root: string): Promise<number> {
  say("• Checks: types, lint, format");
  const check = await run("npm", ["run", "--silent", "check"], { cwd: root });
  await ensureTools(root);
  makeLinks(packagedPostgres(root));

  let results: Results = NOTHING;
  let failed = check !== 0;
  for (const layer of LAYERS) {
    say(`\n• ${layer.title}`);
    let printed = "";
    const code = await run(process.execPath, layer.args, { cwd: root, watch: (text) => (printed += text) });
    const counted = countResults(printed);
    results = add(results, counted);
    failed ||= code !== 0 || counted.failed > 0 || counted.passed === 0;
    if (counted.passed === 0) say(`✗ ${layer.title}: no test passed; expected at least one`);
  }
  if (check !== 0) say("✗ The checks failed; what they say is at the top");
  process.stdout.write(`${summary(results)}\n`);
  return failed ? 1 : 0;
}

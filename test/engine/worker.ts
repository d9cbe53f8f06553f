import Mocha from "mocha";
import { load } from "js-yaml";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { projectRoot } from "../../toolchain/root";
import { RESULTS } from "../../toolchain/tests/engineWorker";
import { beginYard, endYard } from "./hooks";

/*
 * Runs the test files that its parent names, one after the other, with the settings that mocha has for this layer.
 * Ends, and removes its yard, when the parent lets go of it.
 */

const directory = process.argv[2] ?? "";
const { timeout, slow } = load(readFileSync(path.join(projectRoot(), ".mocharc.engine.yaml"), "utf8")) as {
  timeout: number;
  slow: number;
};
let runner: Mocha.Runner | undefined;
let isRunning = false;
let work = beginYard(directory);

/** As test/unhandledRejections.ts does for mocha's command line, while a test runs; the next file must not end with it. */
process.on("unhandledRejection", (reason) => {
  if (isRunning) throw reason;
  console.error("A promise was rejected after the tests that made it:", reason);
});

async function run(file: string): Promise<void> {
  const mocha = new Mocha({ timeout, slow, color: false });
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  isRunning = true;
  const failed = await new Promise<number>((resolve) => (runner = mocha.run(resolve)));
  isRunning = false;
  const { passes = 0, pending = 0 } = runner?.stats ?? {};
  // Each runner would pass an unhandled rejection to all others: with a dozen of them, that never ends.
  mocha.dispose();
  process.stdout.write(`${RESULTS}${JSON.stringify({ passed: passes, failed, skipped: pending })}\n`);
}

process.on("message", ({ file }: { file: string }) => {
  work = work.then(() => run(file));
  work.catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
    process.disconnect();
  });
});
// When the parent was killed, nobody reads what the rest of the work prints.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
// The test that runs ends first: it stops what it started.
process.on("disconnect", () => {
  runner?.abort();
  void work
    .catch(() => undefined)
    .then(endYard)
    .finally(() => process.exit());
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner?.abort());

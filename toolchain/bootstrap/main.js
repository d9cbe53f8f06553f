"use strict";

/*
 * What make calls: `node toolchain/bootstrap/main.js <command>`. Installs a recent Node.js and the npm packages, then
 * continues in toolchain/main.ts, which runs from a bundle.
 */

const path = require("node:path");
const { handOver } = require("./handOver");
const { ensureNode } = require("./node");
const { ensurePackages } = require("./packages");
const { ROOT } = require("./paths");

async function main() {
  const node = await ensureNode();
  if (node !== process.execPath) {
    const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}`;
    process.exitCode = await handOver(node, [__filename, ...process.argv.slice(2)], { ...process.env, PATH });
    return;
  }
  await ensurePackages(ROOT);
  const { run } = require("../../foundation/loader/fresh");
  const toolchain = /** @type {{ runTarget(argv: readonly string[]): Promise<void> }} */ (run("toolchain/main.ts"));
  await toolchain.runTarget(process.argv.slice(2));
}

main().catch((/** @type {unknown} */ error) => {
  const text = error instanceof Error ? error.message : String(error);
  const trace = error instanceof Error && process.env.STACKYARD_TRACE ? error.stack : undefined;
  process.stderr.write(`${trace ?? `error: ${text}`}\n`);
  process.exitCode = 1;
});

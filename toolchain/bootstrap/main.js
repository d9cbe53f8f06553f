// @ts-check
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
  await require("../bundle/fresh").run("toolchain/main.ts").main(process.argv.slice(2));
}

main().catch((error) => {
  process.stderr.write(`${process.env.STACKYARD_TRACE ? error.stack : `error: ${error.message}`}\n`);
  process.exitCode = 1;
});

// @ts-check
"use strict";

/*
 * What make calls: `node toolchain/bootstrap/main.js <command>`. Brings a Node.js that is new enough and the npm packages,
 * then hands over to toolchain/main.ts, which runs from a bundle.
 */

const { spawnSync } = require("node:child_process");
const path = require("node:path");
const { ensureNode } = require("./node");
const { ensurePackages } = require("./packages");
const { ROOT } = require("./paths");

async function main() {
  const node = await ensureNode();
  if (node !== process.execPath) {
    const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}`;
    const result = spawnSync(node, [__filename, ...process.argv.slice(2)], {
      stdio: "inherit",
      env: { ...process.env, PATH },
    });
    if (result.error) throw result.error;
    if (result.signal) process.kill(process.pid, result.signal);
    process.exitCode = result.status ?? 1;
    return;
  }
  await ensurePackages(ROOT);
  await require("../bundle/fresh").run("toolchain/main.ts").main(process.argv.slice(2));
}

main().catch((error) => {
  process.stderr.write(`${process.env.STACKYARD_TRACE ? error.stack : `error: ${error.message}`}\n`);
  process.exitCode = 1;
});

"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { engines } = /** @type {{ engines: { node: string } }} */ (require("../../package.json"));

/**
 * Why this Node.js can't run a program; undefined if it can. Our bundles use its newer features, and an older one
 * would print a stack trace with a line of a million characters.
 * @param {string} program
 * @param {string} [version]
 */
function nodeFault(program, version = process.versions.node) {
  const least = engines.node.replace(/^>=/, "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  const isInstalled = fs.existsSync(path.join(__dirname, "..", "..", ".yard", "env"));
  const advice = isInstalled ? '; ". .yard/env" selects the one that make up installed' : "";
  return `${program} needs Node.js ${least} or newer; this is ${version} (${process.execPath})${advice}`;
}

/**
 * Ends the process with one line if this Node.js is too old for a program.
 * @param {string} program
 */
function demandNode(program) {
  const fault = nodeFault(program);
  if (fault === undefined) return;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}

module.exports = { demandNode, nodeFault };

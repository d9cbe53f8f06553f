"use strict";

/*
 * Entry point of the CLI under all its names. It is plain JavaScript because it loads the bundle of cli/main.ts, which
 * is rebuilt when a source changes, with Node's compile cache enabled.
 */

const path = require("node:path");

require("../../foundation/loader/nodeVersion").demandNode("stackyard");

require("../../foundation/loader/lazy").skipSerialization();

const root = path.resolve(__dirname, "..", "..");
// The Kubernetes provider calls a program named aws for tokens of EKS clusters. Ours is the fallback.
process.env.PATH = [process.env.PATH, path.join(root, "cli", "aws", "bin")].join(path.delimiter);
// Shows immediately why the command waits.
const { isTTY } = process.stderr;
let erase = "";
const onBuild = () => {
  if (isTTY) process.stderr.write("  building the command line, because its sources changed …");
  erase = process.env.TERM === "dumb" ? "\n" : "\r\u001b[2K";
};
// jsonc-parser loads its own files dynamically, which bundlers can't follow.
const external = ["esbuild", "jsonc-parser"];
const { run } = require("../../foundation/loader/fresh");
const { main } = /** @type {typeof import("../main")} */ (run("cli/main.ts", { external, onBuild }));
if (isTTY) process.stderr.write(erase);

/**
 * @param {string[]} argv
 * @param {string} [name] program name in its help
 */
exports.run = (argv, name) => void main(root, argv, name);

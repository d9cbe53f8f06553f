"use strict";

/*
 * Entry of the CLI, by whatever name it is called. Kept in plain JavaScript: it loads the bundle of cli/main.ts, which is
 * built again when a source changed, with Node's compile cache on.
 */

const path = require("node:path");

if (Number(process.versions.node.split(".")[0]) < 22) {
  process.stderr.write(
    `stackyard needs Node.js 22 or newer, this is ${process.version}. ` +
      'The one that "make up" set up is found through ". .yard/env" in the project folder.\n',
  );
  process.exit(1);
}

// The engine's SDK loads both on start and uses them only to turn functions into text; together they are three quarters
// of its loading time.
const { loadLazily } = require("../../toolchain/bundle/lazy");
for (const name of ["typescript", "@npmcli/arborist"]) loadLazily(name);

const root = path.resolve(__dirname, "..", "..");
// The Kubernetes provider asks a program named aws for tokens of EKS clusters; ours is found where there is no other.
process.env.PATH = [process.env.PATH, path.join(root, "cli", "aws", "bin")].join(path.delimiter);
// A person who waits for the bundle sees at once what for.
const { isTTY } = process.stderr;
let erase = "";
const onBuild = () => {
  if (isTTY) process.stderr.write("  building the command line, because its sources changed …");
  erase = process.env.TERM === "dumb" ? "\n" : "\r\u001b[2K";
};
// jsonc-parser asks for its own files in a way that no bundler follows.
const external = ["esbuild", "jsonc-parser"];
const { main } = require("../../toolchain/bundle/fresh").run("cli/main.ts", { external, onBuild });
if (isTTY) process.stderr.write(erase);

/**
 * @param {string[]} argv
 * @param {string} [name] what people call it, for its help
 */
exports.run = (argv, name) => void main(root, argv, name);

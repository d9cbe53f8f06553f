// @ts-check
"use strict";

const { run } = require("./fresh");
const { loadLazily } = require("./lazy");
const { endWithReader } = require("./orphan");

/** Stay outside the bundle, because the engine's SDK has loaded them already. */
const LOADED = ["@pulumi/*", "js-yaml"];

/**
 * Runs a Pulumi program from one bundled file, built again when a source changed: always what is written, loaded in a
 * moment.
 * @param {string} entry Path of the program's entry file, relative to the project folder.
 */
function runProgram(entry) {
  // The SDK loads these on start. It needs them to serialize functions and to drive other stacks; our programs do neither.
  for (const name of ["@npmcli/arborist", "typescript"]) loadLazily(name);
  loadLazily("@pulumi/pulumi/automation", { namespace: true });
  // The SDK takes a stack trace of every resource and promise, and its hook reads source maps and copies each frame of
  // it: a tenth of a second. `run` maps the traces of our own errors.
  Error.prepareStackTrace = undefined;
  endWithReader();
  return run(entry, { external: LOADED });
}

module.exports = { runProgram };

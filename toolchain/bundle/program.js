// @ts-check
"use strict";

const { joinDebugMessages } = require("./debugMessages");
const { LOADED } = require("./entries");
const { run } = require("./fresh");
const { loadLazily } = require("./lazy");
const { endWithReader } = require("./orphan");
const { startProvider } = require("./startProvider");
const { skipSilentTraces } = require("./traces");

/**
 * Runs a Pulumi program from one bundled file, built again when a source changed: always what is written, loaded in a
 * moment.
 * @param {string} entry Path of the program's entry file, relative to the project folder.
 */
function runProgram(entry) {
  // The SDK loads these on start. It needs them to serialize functions and to drive other stacks; our programs do neither.
  for (const name of ["@npmcli/arborist", "typescript"]) loadLazily(name);
  loadLazily("@pulumi/pulumi/automation", { namespace: true });
  skipSilentTraces();
  endWithReader();
  return async () => {
    joinDebugMessages();
    await startProvider();
    const program = run(entry, { external: LOADED });
    return typeof program === "function" ? program() : program;
  };
}

module.exports = { runProgram };

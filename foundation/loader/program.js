"use strict";

const { joinDebugMessages } = require("./debugMessages");
const { LOADED } = require("./entries");
const { run } = require("./fresh");
const { skipLateMessages } = require("./lateMessages");
const { loadLazily, skipSerialization } = require("./lazy");
const { demandNode } = require("./nodeVersion");
const { endWithReader } = require("./orphan");
const { startProvider } = require("./startProvider");
const { skipSilentTraces } = require("./traces");

/**
 * Runs a Pulumi program from one bundled file, which is rebuilt when a source changes.
 * @param {string} entry Path of the program's entry file, relative to the project folder.
 */
function runProgram(entry) {
  demandNode("this Pulumi program");
  // Our programs neither serialize functions nor run other stacks.
  skipSerialization();
  loadLazily("@pulumi/pulumi/automation", { namespace: true });
  skipSilentTraces();
  endWithReader();
  skipLateMessages();
  return async () => {
    joinDebugMessages();
    await startProvider();
    const program = run(entry, { external: LOADED });
    return typeof program === "function" ? /** @type {() => unknown} */ (program)() : program;
  };
}

module.exports = { runProgram };

"use strict";

const { spawn } = require("node:child_process");

/**
 * Runs a program in place of this process and returns its exit code. Forwards signals, and exits after it, so that no
 * part of it remains. If this process is killed, the program receives "disconnect".
 *
 * @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>}
 */
function handOver(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => void child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      for (const each of signals) process.off(each, forward);
      if (signal) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}

module.exports = { handOver };

// @ts-check
"use strict";

const { spawn } = require("node:child_process");

/**
 * Runs a program in our place and answers its exit code. A signal that reaches only us goes on to it; we end after it, so that
 * nothing of it remains when we are gone. Where we are killed, it hears that by "disconnect".
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

"use strict";

const fs = require("node:fs");
const { SourceMap } = require("node:module");

/**
 * Wraps a program so that stack traces of its errors refer to its sources. The bundle does not reference its source
 * map, because Pulumi's SDK would read it for every resource, which takes a tenth of a second. Here it is only read
 * after an error.
 * @template {(...args: never[]) => unknown} Program
 * @param {Program} program
 * @param {string} bundle Path of the bundle, with its map next to it.
 * @returns {(...args: Parameters<Program>) => Promise<unknown>}
 */
function traced(program, bundle) {
  return async (...args) => {
    try {
      return await program(...args);
    } catch (error) {
      if (error instanceof Error && error.stack) error.stack = mapped(error.stack, bundle);
      throw error;
    }
  };
}

/** @param {string} stack @param {string} bundle */
function mapped(stack, bundle) {
  if (!stack.includes(bundle) || !fs.existsSync(`${bundle}.map`)) return stack;
  const map = new SourceMap(
    /** @type {import("node:module").SourceMapPayload} */ (JSON.parse(fs.readFileSync(`${bundle}.map`, "utf8"))),
  );
  const literal = bundle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return stack.replaceAll(new RegExp(`${literal}:(\\d+):(\\d+)`, "g"), (place, line, column) => {
    const found = map.findEntry(Number(line) - 1, Number(column) - 1);
    return "originalSource" in found
      ? `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : place;
  });
}

/**
 * Disables stack traces of errors without a message. Pulumi's SDK creates one for every promise and every resource, and
 * formatting them takes most of the time of a large program. `PULUMI_DEBUG_PROMISE_LEAKS` enables them, as the SDK's
 * message about leaked promises says.
 * @param {NodeJS.ProcessEnv} [env]
 */
function skipSilentTraces(env = process.env) {
  /** @param {Error} error @param {unknown[]} frames */
  const prepareStackTrace = (error, frames) =>
    error.message === "" ? String(error) : [error, ...frames].join("\n    at ");
  Object.assign(Error, { prepareStackTrace: env["PULUMI_DEBUG_PROMISE_LEAKS"] ? undefined : prepareStackTrace });
}

module.exports = { skipSilentTraces, traced };

"use strict";

/*
 * Caches V8's compiled code of a bundle next to it, including functions. Node's own compile cache is written before a
 * file runs, so it lacks the functions that V8 compiles on their first call: a fifth of the CPU time of a short
 * process.
 */

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");
const { writeAtomically } = require("./atomic");

const [PREFIX = "", SUFFIX = ""] = Module.wrap("\0").split("\0");

/** Node warns about the constant when a bundle first imports a package, which would be visible to users. */
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = (/** @type {any[]} */ ...warning) => {
  if (!String(warning[0]).includes("USE_MAIN_CONTEXT_DEFAULT_LOADER")) Reflect.apply(emitWarning, process, warning);
};

/** Not in the types of Node.js. */
const { _nodeModulePaths: nodeModulePaths } = /** @type {{ _nodeModulePaths: (from: string) => string[] }} */ (
  /** @type {unknown} */ (Module)
);

/**
 * By their files, for processes that load a bundle several times.
 * @type {Map<string, vm.Script>}
 */
const scripts = new Map();

/**
 * Runs a bundle like `require`, again with each call.
 * @param {string} file Absolute path of a CommonJS file whose content never changes.
 * @returns {unknown} Its exports.
 */
function load(file) {
  const script = scripts.get(file) ?? compiled(file);
  scripts.set(file, script);
  const loaded = new Module(file);
  loaded.filename = file;
  loaded.paths = nodeModulePaths(path.dirname(file));
  const wrapped = /** @type {(...args: unknown[]) => void} */ (script.runInThisContext());
  const exports = /** @type {unknown} */ (loaded.exports);
  wrapped.call(exports, exports, Module.createRequire(file), loaded, file, path.dirname(file));
  return /** @type {unknown} */ (loaded.exports);
}

/** @param {string} file */
function compiled(file) {
  const cache = `${file}.${engine()}.v8`;
  const cachedData = read(cache);
  const script = new vm.Script(PREFIX + fs.readFileSync(file, "utf8") + SUFFIX, {
    filename: file,
    columnOffset: -PREFIX.length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  });
  const known = script.cachedDataRejected ? 0 : (cachedData?.length ?? 0);
  process.on("exit", () => keep(script, cache, known));
  return script;
}

/**
 * Identifies the V8 version and its flags, because V8 rejects caches of others. `node:v8` has the same information, but
 * loads slower.
 */
function engine() {
  const flags = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ");
  return `${process.versions.v8}-${process.arch}-${require("node:zlib").crc32(flags).toString(16)}`;
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined; // The first process has no cache yet.
  }
}

/**
 * Other processes may call other functions, so the cache is written again after 2, 4, 8 … runs if it has grown.
 * @param {vm.Script} script @param {string} cache @param {number} known Size of the cache that this process has read.
 */
function keep(script, cache, known) {
  try {
    const runs = `${cache}.runs`;
    fs.appendFileSync(runs, ".");
    const { size } = fs.statSync(runs);
    if (known > 0 && (size & (size - 1)) !== 0) return;
    const data = script.createCachedData();
    if (data.length <= known) return;
    writeAtomically(cache, data);
  } catch {
    // In a read-only image or a deleted folder there is no cache; the next process compiles again.
  }
}

module.exports = { load };

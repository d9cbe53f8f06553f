// @ts-check
"use strict";

/*
 * Keeps what V8 compiles of a bundle beside it, functions included. Node's own compile cache is made before a file runs, so it
 * has none of the functions that V8 compiles when they are first called: a fifth of the CPU of a short process.
 */

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

const [PREFIX, SUFFIX] = Module.wrap("\0").split("\0");

/** Node warns of the constant when a bundle first imports a package; what a user reads is not the place for it. */
const { emitWarning } = process;
process.emitWarning = (/** @type {any[]} */ ...warning) => {
  if (!String(warning[0]).includes("USE_MAIN_CONTEXT_DEFAULT_LOADER")) Reflect.apply(emitWarning, process, warning);
};

/**
 * Loads a bundle as `require` does.
 * @param {string} file Absolute path of a CommonJS file whose content never changes.
 * @returns {any} What it exports.
 */
function load(file) {
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
  const loaded = new Module(file);
  loaded.filename = file;
  loaded.paths = /** @type {any} */ (Module)._nodeModulePaths(path.dirname(file));
  script
    .runInThisContext()
    .call(loaded.exports, loaded.exports, Module.createRequire(file), loaded, file, path.dirname(file));
  return loaded.exports;
}

/** A V8 takes no cache of another version or with other flags. `node:v8` would name it, and takes longer to load than this. */
function engine() {
  const flags = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ");
  return `${process.versions.v8}-${process.arch}-${require("node:zlib").crc32(flags).toString(16)}`;
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined; // The first process.
  }
}

/**
 * Other processes may have called other functions, so the cache is written again after 2, 4, 8 … runs if it has grown.
 * @param {vm.Script} script @param {string} cache @param {number} known Size of what this process started with.
 */
function keep(script, cache, known) {
  try {
    const runs = `${cache}.runs`;
    fs.appendFileSync(runs, ".");
    const { size } = fs.statSync(runs);
    if (known > 0 && (size & (size - 1)) !== 0) return;
    const data = script.createCachedData();
    if (data.length <= known) return;
    const temporary = `${cache}.${process.pid}.tmp`;
    fs.writeFileSync(temporary, data);
    fs.renameSync(temporary, cache);
  } catch {
    // In an image, and in a folder that was deleted meanwhile, it can't be kept; the next process compiles again.
  }
}

module.exports = { load };

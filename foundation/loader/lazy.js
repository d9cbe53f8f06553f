"use strict";

const Module = require("node:module");

/** Keys that module loaders read themselves; these must not load the package. */
const LOADERS_KEYS = new Set(["__esModule", "prototype", "then"]);

/** A package may export an object, a function or a class. */
/** @typedef {{ new (...args: unknown[]): object, (...args: unknown[]): unknown }} Package */

/**
 * Makes the next `require(name)` return at once, and loads the package on its first use. For packages that a library
 * requires at start but only needs for features that we don't use.
 * @param {string} name
 * @param {{ namespace?: boolean }} [options] `namespace`: it is a compiled ES module that is imported as a whole.
 */
function loadLazily(name, { namespace = false } = {}) {
  const file = require.resolve(name);
  /** @type {Package | undefined} */
  let loaded;
  const load = () => {
    if (loaded === undefined) {
      delete require.cache[file];
      loaded = /** @type {Package} */ (require(file));
    }
    return loaded;
  };
  const standIn = new Module(file);
  standIn.filename = file;
  standIn.loaded = true;
  // A function, because the package may be one.
  const target = Object.assign(function () {}, namespace && { __esModule: true });
  standIn.exports = new Proxy(target, {
    get: (_, key) =>
      /** @type {unknown} */ (Reflect.get(typeof key === "symbol" || LOADERS_KEYS.has(key) ? target : load(), key)),
    apply: (_, self, args) => Reflect.apply(load(), self, args),
    construct: (_, args) => Reflect.construct(load(), args),
  });
  require.cache[file] = standIn;
}

/** Pulumi's SDK loads these at start, which takes most of its load time, but only needs them to serialize functions. */
const SERIALIZATION = ["typescript", "@npmcli/arborist", "normalize-package-data"];

function skipSerialization() {
  for (const name of SERIALIZATION) loadLazily(name);
}

module.exports = { SERIALIZATION, loadLazily, skipSerialization };

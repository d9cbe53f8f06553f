// @ts-check
"use strict";

const os = require("node:os");
const path = require("node:path");

/** The checkout this file belongs to. */
const ROOT = path.resolve(__dirname, "..", "..");

/**
 * Where tools are kept, shared by all checkouts of one user: `$XDG_CACHE_HOME/stackyard/tools`, else `~/.cache/stackyard/tools`.
 * @param {NodeJS.ProcessEnv} [env]
 */
function toolsFolder(env = process.env) {
  const cache =
    env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : path.join(os.homedir(), ".cache");
  return path.join(cache, "stackyard", "tools");
}

module.exports = { ROOT, toolsFolder };

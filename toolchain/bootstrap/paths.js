"use strict";

const os = require("node:os");
const path = require("node:path");

/** The checkout that contains this file. */
const ROOT = path.resolve(__dirname, "..", "..");

/**
 * Folder of the tools, shared by all checkouts of a user: `$XDG_CACHE_HOME/stackyard/tools`, else
 * `~/.cache/stackyard/tools`.
 * @param {NodeJS.ProcessEnv} [env]
 */
function toolsFolder(env = process.env) {
  const cache =
    env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : path.join(os.homedir(), ".cache");
  return path.join(cache, "stackyard", "tools");
}

module.exports = { ROOT, toolsFolder };

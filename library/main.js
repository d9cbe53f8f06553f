// @ts-check
"use strict";

// Entry point of `require("stackyard")`: the components and resources, in one bundled file. The platform program is program.js.
const { LOADED } = require("../toolchain/bundle/entries");
module.exports = require("../toolchain/bundle/fresh").run("library/index.ts", { external: LOADED });

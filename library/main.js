// @ts-check
"use strict";

// What `require("stackyard")` gives: the components and resources, from one bundled file. The platform program is program.js.
const { LOADED } = require("../toolchain/bundle/entries");
module.exports = require("../toolchain/bundle/fresh").run("library/index.ts", { external: LOADED });

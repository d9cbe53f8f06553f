"use strict";

// Entry point of `require("stackyard")`: the components and resources, in one bundled file. The platform program is program.js.
const { LOADED } = require("../foundation/loader/entries");
const { run } = require("../foundation/loader/fresh");
module.exports = /** @type {typeof import("./index")} */ (run("library/index.ts", { external: LOADED }));

"use strict";

// Entry point of `require("stackyard")`: the components and resources, in one bundled file. The platform program is program.js.
const { LOADED } = require("../foundation/loader/entries");
const { nodeFault } = require("../foundation/loader/nodeVersion");
const { run } = require("../foundation/loader/fresh");

// A host program decides itself whether it ends.
const fault = nodeFault("stackyard");
if (fault !== undefined) throw new Error(fault);
module.exports = /** @type {typeof import("./index")} */ (run("library/index.ts", { external: LOADED }));

"use strict";

const { run } = require("../../../foundation/loader/fresh");

run("test/engine/bundles/worker.ts");

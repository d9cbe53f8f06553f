"use strict";

const { run } = require("../../../foundation/loader/fresh");

run("test/engine/ledger/worker.ts");

"use strict";

require("../../../toolchain/bundle/fresh").run("test/engine/ledger/worker.ts");

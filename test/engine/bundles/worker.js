"use strict";

require("../../../toolchain/bundle/fresh").run("test/engine/bundles/worker.ts");

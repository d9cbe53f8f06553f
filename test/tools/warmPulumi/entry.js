"use strict";

/*
 * Entry point of the process. It is plain JavaScript because it loads a bundle, which is rebuilt when a source changes.
 */

require("../../../foundation/loader/lazy").skipSerialization();

const { LOADED } = require("../../../foundation/loader/entries");
const { run } = require("../../../foundation/loader/fresh");

// The program that it runs, and so this bundle, share Pulumi's SDK.
const external = [...LOADED, "@grpc/grpc-js", "esbuild", "jsonc-parser"];
const { serve } = /** @type {typeof import("./process")} */ (run("test/tools/warmPulumi/process.ts", { external }));
serve({
  loadProvider: () => /** @type {typeof import("../../../provider/main")} */ (run("provider/main.ts")),
  loadProgram: (main) => /** @type {import("@pulumi/pulumi/automation").PulumiFn} */ (require(main)),
});

// Runs index.ts from one bundled file, as program.js of the platform does, and leaves the same libraries outside.
require("../toolchain/bundle/lazy").loadLazily("@npmcli/arborist");
require("../toolchain/bundle/orphan").endWithReader();
module.exports = require("../toolchain/bundle/fresh").run("runtime/index.ts", { external: ["@pulumi/*", "zod"] });

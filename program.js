// The engine's SDK loads this package on start and needs it only to turn functions into text, which we never do.
require("./toolchain/bundle/lazy").loadLazily("@npmcli/arborist");
require("./toolchain/bundle/orphan").endWithReader();
// Runs index.ts from one bundled file, built again when a source changed: always what is written, loaded in a moment.
// The SDK stays outside because the engine has loaded it already.
module.exports = require("./toolchain/bundle/fresh").run("index.ts", { external: ["@pulumi/*", "zod", "js-yaml"] });

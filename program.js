// Runs index.ts from one bundled file, built again when a source changed: always what is written, loaded in a moment.
// The SDK stays outside, because the engine has loaded it already and there must be only one.
module.exports = require("./toolchain/bundle/fresh").run("index.ts", { external: ["@pulumi/*"] });

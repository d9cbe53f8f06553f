// Pulumi runs this file; the program is index.ts.
module.exports = require("./toolchain/bundle/program").runProgram("index.ts");

// Pulumi runs this file; the program is index.ts.
module.exports = require("./foundation/loader/program").runProgram("index.ts");

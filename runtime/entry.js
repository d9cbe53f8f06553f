require("node:module").enableCompileCache();
require("tsx/cjs/api").register();
module.exports = require("./index.ts");

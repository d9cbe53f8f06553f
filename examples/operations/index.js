// The stack file says what the platform has.
module.exports = require("stackyard").platform;

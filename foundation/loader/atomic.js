"use strict";

const fs = require("node:fs");

/**
 * Writes a file so that another process reads all of it or what was there before.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
function writeAtomically(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
}

module.exports = { writeAtomically };

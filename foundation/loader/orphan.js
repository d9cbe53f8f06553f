"use strict";

/**
 * Ends the process when its output is closed, because the engine that started it was killed. Pulumi's SDK reports every
 * error by writing it, which would fail in an endless loop.
 */
function endWithReader() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EPIPE") process.exit(1);
      throw error;
    });
  }
}

module.exports = { endWithReader };

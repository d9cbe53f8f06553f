// @ts-check
"use strict";

/**
 * Ends the process when nobody reads what it writes: the engine that started it was killed. The engine's SDK reports
 * every error by writing it, which would fail again and again and keep a processor busy for ever.
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

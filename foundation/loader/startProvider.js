"use strict";

/** Number of event loop turns that the SDK needs to send a request, with a margin. */
const TURNS = 12;

/**
 * Requests the engine to start our provider while the program loads, instead of at the first resource. Loading blocks
 * this process, so this waits until the SDK has sent the request.
 */
async function startProvider() {
  // The first resource reports why a provider does not start.
  require("@pulumi/pulumi")
    .runtime.invoke("stackyard:index:start", {})
    .catch(() => undefined);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

module.exports = { startProvider };

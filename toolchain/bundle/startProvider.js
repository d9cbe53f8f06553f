// @ts-check
"use strict";

/** How many turns of the event loop the SDK takes to send a request, with some to spare. */
const TURNS = 12;

/**
 * Has the engine start our provider while the program loads, not when the first resource asks for it. Loading blocks this
 * process, so it waits until the SDK has sent the request.
 */
async function startProvider() {
  // The first resource reports why a provider does not start.
  require("@pulumi/pulumi")
    .runtime.invoke("stackyard:index:start", {})
    .catch(() => undefined);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

module.exports = { startProvider };

"use strict";

/*
 * Builds the programs of the provisioning service for an image: `node foundation/loader/seal.js`. Their sources are
 * never checked again, whatever file times the image has, and running them writes nothing.
 */

const { fresh } = require("./fresh");
const { SERVICE_ENTRIES } = require("./entries");

for (const [entry, external] of Object.entries(SERVICE_ENTRIES)) {
  process.stdout.write(`${entry}: ${fresh(entry, { external, sealed: true })}\n`);
}

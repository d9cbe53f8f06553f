// @ts-check
"use strict";

/*
 * Builds the programs of the provisioning service for an image: `node toolchain/bundle/seal.js`. They are taken as they are
 * from then on, whatever times the files of the image have, and nothing is written when they run.
 */

const { fresh } = require("./fresh");
const { SERVICE_ENTRIES } = require("./entries");

for (const [entry, external] of Object.entries(SERVICE_ENTRIES)) {
  process.stdout.write(`${entry}: ${fresh(entry, { external, sealed: true })}\n`);
}

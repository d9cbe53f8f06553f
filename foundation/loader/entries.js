"use strict";

/*
 * The entries of the provisioning service, each with the packages outside of its bundle. Used by the programs
 * themselves, and by builds of an image.
 */

/** jsonc-parser loads its own files dynamically, which bundlers can't follow. */
const COMMON = ["esbuild", "jsonc-parser"];

/** All parts of GraphQL must share one copy of it; the others find their files relative to node_modules. */
const SERVICE = [
  ...COMMON,
  "graphql",
  "graphql-*",
  "@graphql-yoga/*",
  "@escape.tech/*",
  "graphile-worker",
  "node-pg-migrate",
  "pino",
];

/** Outside of the bundle, because Pulumi's SDK has already loaded them. */
const LOADED = ["@pulumi/*", "google-protobuf", "js-yaml", "semver"];

/** @type {{ readonly [entry: string]: readonly string[] }} */
const SERVICE_ENTRIES = {
  "service/main.ts": SERVICE,
  "engine/workers/worker.ts": COMMON,
  "runtime/index.ts": LOADED,
  "provider/main.ts": [],
  "cli/aws/token.ts": [],
};

module.exports = { LOADED, SERVICE_ENTRIES };

// @ts-check
"use strict";

/*
 * What of our programs the provisioning service runs, each with the packages that stay outside its bundle. The programs
 * themselves ask here, and so does whoever builds all of them beforehand.
 */

/** jsonc-parser asks for its own files in a way that no bundler follows. */
const COMMON = ["esbuild", "jsonc-parser"];

/** GraphQL's parts have to share one copy of it, and the others find files of theirs by their place in node_modules. */
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

/** Stay outside a program's bundle, because the engine's SDK has loaded them already. */
const LOADED = ["@pulumi/*", "google-protobuf", "js-yaml", "semver"];

/** @type {{ readonly [entry: string]: readonly string[] }} */
const SERVICE_ENTRIES = {
  "service/main.ts": SERVICE,
  "service/workers/worker.ts": COMMON,
  "runtime/index.ts": LOADED,
  "provider/main.ts": [],
  "cli/aws/token.ts": [],
};

module.exports = { LOADED, SERVICE_ENTRIES };

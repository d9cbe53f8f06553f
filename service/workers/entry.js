"use strict";

/*
 * Entry of a worker process: the bundle of service/workers/worker.ts, which is built again when a source changed.
 * In plain JavaScript, since it loads the rest.
 */

const path = require("node:path");

// The engine's SDK loads both on start and uses them only to turn functions into text.
const { loadLazily } = require("../../toolchain/bundle/lazy");
for (const name of ["typescript", "@npmcli/arborist"]) loadLazily(name);

const root = path.resolve(__dirname, "..", "..");
// The Kubernetes provider asks a program named aws for tokens of EKS clusters; ours is found where there is no other.
process.env.PATH = [process.env.PATH, path.join(root, "cli", "aws", "bin")].join(path.delimiter);
const { SERVICE_ENTRIES } = require("../../toolchain/bundle/entries");
const entry = "service/workers/worker.ts";
const { serve } = require("../../toolchain/bundle/fresh").run(entry, { external: SERVICE_ENTRIES[entry] });
const [project = root, folder = path.join(project, "runtime")] = process.argv.slice(2);
void serve(project, folder);

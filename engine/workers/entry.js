"use strict";

/*
 * Entry point of a worker process. It is plain JavaScript because it loads the bundle of engine/workers/worker.ts,
 * which is rebuilt when a source changes.
 */

const path = require("node:path");

require("../../foundation/loader/lazy").skipSerialization();

const root = path.resolve(__dirname, "..", "..");
// The Kubernetes provider calls a program named aws for tokens of EKS clusters. Ours is the fallback.
process.env.PATH = [process.env.PATH, path.join(root, "cli", "aws", "bin")].join(path.delimiter);
const { SERVICE_ENTRIES } = require("../../foundation/loader/entries");
const entry = "engine/workers/worker.ts";
const { run } = require("../../foundation/loader/fresh");
const { serve } = /** @type {typeof import("./worker")} */ (run(entry, { external: SERVICE_ENTRIES[entry] }));
const [project = root, folder = path.join(project, "runtime")] = process.argv.slice(2);
const backend = process.env["PULUMI_BACKEND_URL"] || undefined;
void serve({ platforms: { folder: project, backend }, runtimes: { folder, backend } });

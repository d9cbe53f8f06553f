/** Our Pulumi provider, with its resources by type token. `pulumi-resource-stackyard` runs it as a process. */

import "../foundation/schema/interpreted";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { version } from "./version";
import { runProvider } from "./framework/process";
import { serveProvider, type Served } from "./framework/serve";
import type { AnyFunction, Provider } from "./framework/service";
import { RESOURCES, tokenOf } from "./resources/registry";

export const provider: Provider = {
  version,
  handlers: Object.fromEntries(Object.entries(RESOURCES).map(([name, { handler }]) => [tokenOf(name), handler])),
  functions: {
    // Does nothing. A program calls it to start this process.
    "stackyard:index:start": () => Promise.resolve(() => Promise.resolve({})),
    "stackyard:index:readPools": async () => (await import("./functions/readPools.js")).readPools as AnyFunction,
    "stackyard:index:renderChart": async () => (await import("./functions/renderChart.js")).renderChart as AnyFunction,
    "stackyard:index:readNodes": async () => (await import("./functions/readNodes.js")).readNodes,
    "stackyard:index:readCluster": async () => (await import("./functions/readCluster.js")).readCluster as AnyFunction,
    "stackyard:index:readBudgets": async () => (await import("./functions/readBudgets.js")).readBudgets as AnyFunction,
    "stackyard:index:readReleases": async () =>
      (await import("./functions/readReleases.js")).readReleases as AnyFunction,
    "stackyard:index:servesKind": async () => (await import("./functions/servesKind.js")).servesKind as AnyFunction,
    "stackyard:index:readModuleFaults": async () =>
      (await import("./resources/kymaModules/catalog.js")).readModuleFaults as AnyFunction,
    "stackyard:index:readDeployments": async () =>
      (await import("./resources/provisionerRegistration/ask.js")).readDeployments as AnyFunction,
  },
  schema: async () => (await import("./packageSchema.js")).schema,
};

/** Serves the provider in this process, for a program that runs the engine itself. */
export const serveInProcess = (backend: string): Promise<Served> => serveProvider(provider, backend);

/** Runs the provider as a process that the engine started. */
export function run(): Promise<void> {
  const program = process.argv[1]!;
  // The schema of the whole package, which `npm run generate` writes beside the program.
  const schema = (): Promise<string> => readFile(join(dirname(program), "package.schema.json"), "utf8");
  return runProvider({ ...provider, program, schema });
}

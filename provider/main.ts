/** Our Pulumi provider: its resources by type token. Run as a process by `pulumi-resource-stackyard`. */

import { version } from "./version";
import { runProvider } from "./framework/process";
import { serveProvider } from "./framework/serve";
import type { Served } from "./framework/serve";
import type { AnyFunction, Provider } from "./framework/service";

export const provider: Provider = {
  version,
  handlers: {
    "stackyard:index:StaticPool": async () => (await import("./ledger/staticPool.js")).staticPool,
    "stackyard:index:SlotAllocation": async () => (await import("./ledger/slotAllocation.js")).slotAllocation,
    "stackyard:index:ProvisionerRegistration": async () =>
      (await import("./provisioners/registration.js")).registration,
    "stackyard:index:ManifestSet": async () => (await import("./manifests/manifestSet.js")).manifestSet,
    "stackyard:index:BundleRelease": async () => (await import("./bundles/release/bundleRelease.js")).bundleRelease,
    "stackyard:index:ClusterIdentity": async () => (await import("./identity/clusterIdentity.js")).clusterIdentity,
    "stackyard:index:DataGuard": async () => (await import("./dataGuard/dataGuard.js")).dataGuard,
    "stackyard:index:ClickHouseDatabase": async () =>
      (await import("./clickhouse/clickHouseDatabase.js")).clickHouseDatabase,
    "stackyard:index:TerasliceJob": async () => (await import("./teraslice/terasliceJob.js")).terasliceJob,
  },
  functions: {
    "stackyard:index:readPools": async () => (await import("./ledger/readPools.js")).readPools as AnyFunction,
    "stackyard:index:renderChart": async () => (await import("./charts/renderChart.js")).renderChart as AnyFunction,
    "stackyard:index:readNodes": async () => (await import("./nodes/readNodes.js")).readNodes,
    "stackyard:index:readBudgets": async () => (await import("./budgets/readBudgets.js")).readBudgets as AnyFunction,
    "stackyard:index:readDeployments": async () =>
      (await import("./provisioners/ask.js")).readDeployments as AnyFunction,
  },
  schema: async () => (await import("./schema.js")).schema,
};

/** Serves the provider inside this process, for a program that runs the engine itself. */
export const serve = (): Promise<Served> => serveProvider(provider);

/** Serves it as the process that the engine started. */
export const run = (): Promise<void> => runProvider(provider);

/** Our Pulumi provider, with its resources by type token. `pulumi-resource-stackyard` runs it as a process. */

import "../foundation/schema/interpreted";
import { version } from "./version";
import { runProvider } from "./framework/process";
import { serveProvider } from "./framework/serve";
import type { Served } from "./framework/serve";
import type { AnyFunction, Provider } from "./framework/service";

export const provider: Provider = {
  version,
  handlers: {
    "stackyard:index:StaticPool": async () => (await import("./resources/staticPool/staticPool.js")).staticPool,
    "stackyard:index:SlotAllocation": async () =>
      (await import("./resources/slotAllocation/slotAllocation.js")).slotAllocation,
    "stackyard:index:ProvisionerRegistration": async () =>
      (await import("./resources/provisionerRegistration/registration.js")).registration,
    "stackyard:index:ManifestSet": async () => (await import("./resources/manifestSet/manifestSet.js")).manifestSet,
    "stackyard:index:BundleRelease": async () =>
      (await import("./resources/bundleRelease/bundleRelease.js")).bundleRelease,
    "stackyard:index:ClusterIdentity": async () =>
      (await import("./resources/clusterIdentity/clusterIdentity.js")).clusterIdentity,
    "stackyard:index:DataGuard": async () => (await import("./resources/dataGuard/dataGuard.js")).dataGuard,
    "stackyard:index:LoadBalancerGuard": async () =>
      (await import("./resources/loadBalancerGuard/loadBalancerGuard.js")).loadBalancerGuard,
    "stackyard:index:ClickHouseDatabase": async () =>
      (await import("./resources/clickHouseDatabase/clickHouseDatabase.js")).clickHouseDatabase,
    "stackyard:index:DirectorRuntime": async () =>
      (await import("./resources/directorRuntime/directorRuntime.js")).directorRuntime,
    "stackyard:index:KymaInstallation": async () =>
      (await import("./resources/kymaInstallation/kymaInstallation.js")).kymaInstallation,
    "stackyard:index:RuntimeAgent": async () => (await import("./resources/runtimeAgent/runtimeAgent.js")).runtimeAgent,
    "stackyard:index:Shoot": async () => (await import("./resources/shoot/shoot.js")).shoot,
    "stackyard:index:TerasliceJob": async () => (await import("./resources/terasliceJob/terasliceJob.js")).terasliceJob,
  },
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
    "stackyard:index:readDeployments": async () =>
      (await import("./resources/provisionerRegistration/ask.js")).readDeployments as AnyFunction,
  },
  schema: async () => (await import("./packageSchema.js")).schema,
};

/** Serves the provider in this process, for a program that runs the engine itself. */
export const serveInProcess = (backend: string): Promise<Served> => serveProvider(provider, backend);

/** Runs the provider as a process that the engine started. */
export const run = (): Promise<void> => runProvider(provider);

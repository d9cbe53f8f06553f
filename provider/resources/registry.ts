import type { ResourceSchema } from "../framework/resourceSchema";
import type { AnyHandler } from "../framework/service";
import { schema as bundleRelease } from "./bundleRelease/bundleReleaseSchema";
import { schema as clickHouseDatabase } from "./clickHouseDatabase/clickHouseDatabaseSchema";
import { schema as clusterIdentity } from "./clusterIdentity/clusterIdentitySchema";
import { schema as dataGuard } from "./dataGuard/dataGuardSchema";
import { schema as directorRuntime } from "./directorRuntime/directorRuntimeSchema";
import { schema as kymaInstallation } from "./kymaInstallation/kymaInstallationSchema";
import { schema as kymaModules } from "./kymaModules/kymaModulesSchema";
import { schema as loadBalancerGuard } from "./loadBalancerGuard/loadBalancerGuardSchema";
import { schema as manifestSet } from "./manifestSet/manifestSetSchema";
import { schema as provisionerRegistration } from "./provisionerRegistration/provisionerRegistrationSchema";
import { schema as rayJob } from "./rayJob/rayJobSchema";
import { schema as runtimeAgent } from "./runtimeAgent/runtimeAgentSchema";
import { schema as shoot } from "./shoot/shootSchema";
import { schema as slotAllocation } from "./slotAllocation/slotAllocationSchema";
import { schema as staticPool } from "./staticPool/staticPoolSchema";
import { schema as terasliceJob } from "./terasliceJob/terasliceJobSchema";

interface Entry {
  readonly schema: ResourceSchema;
  /** Loads the module of the resource, when the first one is used. */
  readonly handler: () => Promise<AnyHandler>;
  /** Folder of its class in components/resources/. Default: that folder itself. */
  readonly group?: string;
  /** Whether it is in the schema of the package. Default: only our own components use it. */
  readonly isPublic?: true;
}

/** All resources of the package, by name. */
export const RESOURCES: Readonly<Record<string, Entry>> = {
  StaticPool: {
    schema: staticPool,
    handler: async () => (await import("./staticPool/staticPool.js")).staticPool,
    isPublic: true,
  },
  SlotAllocation: {
    schema: slotAllocation,
    handler: async () => (await import("./slotAllocation/slotAllocation.js")).slotAllocation,
    isPublic: true,
  },
  ProvisionerRegistration: {
    schema: provisionerRegistration,
    handler: async () => (await import("./provisionerRegistration/registration.js")).registration,
  },
  ManifestSet: {
    schema: manifestSet,
    handler: async () => (await import("./manifestSet/manifestSet.js")).manifestSet,
    isPublic: true,
  },
  BundleRelease: {
    schema: bundleRelease,
    handler: async () => (await import("./bundleRelease/bundleRelease.js")).bundleRelease,
    isPublic: true,
  },
  ClusterIdentity: {
    schema: clusterIdentity,
    handler: async () => (await import("./clusterIdentity/clusterIdentity.js")).clusterIdentity,
  },
  DataGuard: { schema: dataGuard, handler: async () => (await import("./dataGuard/dataGuard.js")).dataGuard },
  LoadBalancerGuard: {
    schema: loadBalancerGuard,
    handler: async () => (await import("./loadBalancerGuard/loadBalancerGuard.js")).loadBalancerGuard,
    group: "guard",
  },
  ClickHouseDatabase: {
    schema: clickHouseDatabase,
    handler: async () => (await import("./clickHouseDatabase/clickHouseDatabase.js")).clickHouseDatabase,
  },
  DirectorRuntime: {
    schema: directorRuntime,
    handler: async () => (await import("./directorRuntime/directorRuntime.js")).directorRuntime,
    group: "gardener",
  },
  KymaInstallation: {
    schema: kymaInstallation,
    handler: async () => (await import("./kymaInstallation/kymaInstallation.js")).kymaInstallation,
    group: "gardener",
  },
  KymaModules: {
    schema: kymaModules,
    handler: async () => (await import("./kymaModules/kymaModules.js")).kymaModules,
    group: "gardener",
  },
  RuntimeAgent: {
    schema: runtimeAgent,
    handler: async () => (await import("./runtimeAgent/runtimeAgent.js")).runtimeAgent,
    group: "gardener",
  },
  Shoot: { schema: shoot, handler: async () => (await import("./shoot/shoot.js")).shoot, group: "gardener" },
  RayJob: {
    schema: rayJob,
    handler: async () => (await import("./rayJob/rayJob.js")).rayJob,
    group: "jobs",
    isPublic: true,
  },
  TerasliceJob: {
    schema: terasliceJob,
    handler: async () => (await import("./terasliceJob/terasliceJob.js")).terasliceJob,
    group: "jobs",
    isPublic: true,
  },
};

/** The type of a resource, as in URNs. */
export const tokenOf = (name: string): string => `stackyard:index:${name}`;

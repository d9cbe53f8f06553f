/** The package schema of our resources, for `pulumi import`, `pulumi package` and policies. */

import { packaged, packagedType, type ResourceSchema } from "./framework/resourceSchema";
import { schema as bundleRelease } from "./resources/bundleRelease/bundleReleaseSchema";
import { schema as clickHouseDatabase } from "./resources/clickHouseDatabase/clickHouseDatabaseSchema";
import { schema as clusterIdentity } from "./resources/clusterIdentity/clusterIdentitySchema";
import { schema as dataGuard } from "./resources/dataGuard/dataGuardSchema";
import { schema as directorRuntime } from "./resources/directorRuntime/directorRuntimeSchema";
import { schema as kymaInstallation } from "./resources/kymaInstallation/kymaInstallationSchema";
import { schema as loadBalancerGuard } from "./resources/loadBalancerGuard/loadBalancerGuardSchema";
import { schema as manifestSet } from "./resources/manifestSet/manifestSetSchema";
import { schema as provisionerRegistration } from "./resources/provisionerRegistration/provisionerRegistrationSchema";
import { schema as runtimeAgent } from "./resources/runtimeAgent/runtimeAgentSchema";
import { schema as shoot } from "./resources/shoot/shootSchema";
import { schema as slotAllocation } from "./resources/slotAllocation/slotAllocationSchema";
import { schema as terasliceJob } from "./resources/terasliceJob/terasliceJobSchema";
import { schema as staticPool } from "./resources/staticPool/staticPoolSchema";
import { version } from "./version";

/** Every resource of the package, by name. */
export const RESOURCES = {
  StaticPool: staticPool,
  SlotAllocation: slotAllocation,
  ProvisionerRegistration: provisionerRegistration,
  ManifestSet: manifestSet,
  BundleRelease: bundleRelease,
  ClusterIdentity: clusterIdentity,
  DataGuard: dataGuard,
  LoadBalancerGuard: loadBalancerGuard,
  ClickHouseDatabase: clickHouseDatabase,
  DirectorRuntime: directorRuntime,
  KymaInstallation: kymaInstallation,
  RuntimeAgent: runtimeAgent,
  Shoot: shoot,
  TerasliceJob: terasliceJob,
};

/** The schema as JSON. */
export const schema: string = JSON.stringify({
  name: "stackyard",
  version,
  description:
    "What no other provider has: slots in a ledger, sets of manifests and bundles applied as one, databases in ClickHouse, clusters of Gardener, runtimes in a Director, jobs of Teraslice.",
  types: Object.fromEntries(
    Object.values<ResourceSchema>(RESOURCES).flatMap(({ types = {} }) =>
      Object.entries(types).map(([name, type]) => [`stackyard:index:${name}`, packagedType(type)]),
    ),
  ),
  resources: Object.fromEntries(
    Object.entries(RESOURCES).map(([name, resource]) => [`stackyard:index:${name}`, packaged(resource)]),
  ),
});

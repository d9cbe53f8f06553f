/** The package schema of our resources, for `pulumi import`, `pulumi package` and policies. */

import { packaged, packagedType, type ResourceSchema } from "./framework/resourceSchema";
import { schema as bundleRelease } from "./resources/bundleRelease/schema";
import { schema as clickHouseDatabase } from "./resources/clickHouseDatabase/schema";
import { schema as clusterIdentity } from "./resources/clusterIdentity/schema";
import { schema as dataGuard } from "./resources/dataGuard/schema";
import { schema as directorRuntime } from "./resources/directorRuntime/schema";
import { schema as kymaInstallation } from "./resources/kymaInstallation/schema";
import { schema as loadBalancerGuard } from "./resources/loadBalancerGuard/schema";
import { schema as manifestSet } from "./resources/manifestSet/schema";
import { schema as provisionerRegistration } from "./resources/provisionerRegistration/schema";
import { schema as runtimeAgent } from "./resources/runtimeAgent/schema";
import { schema as shoot } from "./resources/shoot/schema";
import { schema as slotAllocation } from "./resources/slotAllocation/schema";
import { schema as terasliceJob } from "./resources/terasliceJob/schema";
import { schema as staticPool } from "./resources/staticPool/schema";
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

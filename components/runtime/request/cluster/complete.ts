import type { Path } from "../../../../foundation/schema/faults";
import { providerNames, providerOf } from "./providers";
import type { ClusterRequest } from "./shape";
import { withoutUndefined } from "../../../../foundation/json/withoutUndefined";

/** Merges a cluster with the defaults of its provisioner, and finds missing fields. Pure. */

/** Merges the request over the defaults. Objects and lists are replaced as a whole. */
export function withDefaults(cluster: ClusterRequest, defaults: ClusterRequest): ClusterRequest {
  const provider = providerOf(cluster);
  const theirs = providerOf(defaults);
  const isSameCloud = provider === undefined || theirs === undefined || provider === theirs;
  const { region, targetSecret, machineType, diskType, volumeSizeGB, providerSpecificConfig, ...general } = defaults;
  // Defaults for one cloud are meaningless in another.
  const ofCloud = { region, targetSecret, machineType, diskType, volumeSizeGB, providerSpecificConfig };
  return { ...general, ...(isSameCloud ? withoutUndefined(ofCloud) : {}), ...withoutUndefined(cluster) };
}

const REQUIRED = [
  ["kubernetesVersion", 'a version in quotes, such as "1.33.4"'],
  ["region", "the name of a region"],
  ["machineType", "the type of a machine"],
  ["autoScalerMin", "a whole number from 0 to 10000"],
  ["autoScalerMax", "a whole number from 1 to 10000"],
  ["maxSurge", "a whole number from 0 to 10000"],
  ["maxUnavailable", "a whole number from 0 to 10000"],
] as const;

/** Fields that neither the deployment nor its provisioner sets. */
export function missingIn(cluster: ClusterRequest): { readonly path: Path; readonly expected: string }[] {
  const provider = providerOf(cluster);
  const missing: { path: Path; expected: string }[] = REQUIRED.filter(([key]) => cluster[key] === undefined).map(
    ([key, expected]) => ({ path: [key], expected }),
  );
  if (provider === undefined) missing.push({ path: ["provider"], expected: providerNames.join(" or ") });
  if (cluster.providerSpecificConfig === undefined) {
    missing.push({ path: ["providerSpecificConfig"], expected: "an object with a block for the provider" });
  }
  // AWS, and optionally Azure, has ranges of nodes per zone.
  const byZone = provider === "aws" || (cluster.providerSpecificConfig?.azureConfig?.azureZones ?? []).length > 0;
  if (cluster.workerCidr === undefined && !byZone) {
    missing.push({ path: ["workerCidr"], expected: "the range of the nodes" });
  }
  (cluster.workerPools ?? []).forEach((pool, index) => {
    for (const key of ["machineType", "autoScalerMin", "autoScalerMax"] as const) {
      if (pool[key] === undefined) missing.push({ path: ["workerPools", index, key], expected: "a value" });
    }
  });
  return missing;
}

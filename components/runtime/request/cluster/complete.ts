import type { Path } from "../../../../foundation/schema/faults";
import { providerNames, providerOf } from "./providers";
import type { ClusterRequest } from "./shape";
import type { NodeFields } from "./workers";
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

/** The disk of nodes. Gardener's extensions require it on every cloud but OpenStack. */
const DISK = [
  ["diskType", "the type of a disk"],
  ["volumeSizeGB", "the size of the disk in GiB"],
] as const;

interface Missing {
  readonly path: Path;
  readonly expected: string;
}

const missingDisk = (nodes: NodeFields, provider: string | undefined, path: Path = []): Missing[] =>
  provider === undefined || provider === "openstack"
    ? []
    : DISK.filter(([key]) => nodes[key] === undefined).map(([key, what]) => ({
        path: [...path, key],
        expected: `${what}, which Gardener requires with provider ${provider}`,
      }));

/** Fields that neither the deployment nor its provisioner sets. */
export function missingIn(cluster: ClusterRequest): Missing[] {
  const provider = providerOf(cluster);
  const missing: Missing[] = REQUIRED.filter(([key]) => cluster[key] === undefined).map(([key, expected]) => ({
    path: [key],
    expected,
  }));
  if (provider === undefined) missing.push({ path: ["provider"], expected: providerNames.join(" or ") });
  if (cluster.providerSpecificConfig === undefined) {
    missing.push({ path: ["providerSpecificConfig"], expected: "an object with a block for the provider" });
  }
  // AWS, and optionally Azure, has ranges of nodes per zone.
  const byZone = provider === "aws" || (cluster.providerSpecificConfig?.azureConfig?.azureZones ?? []).length > 0;
  if (cluster.workerCidr === undefined && !byZone) {
    missing.push({ path: ["workerCidr"], expected: "the range of the nodes" });
  }
  missing.push(...missingDisk(cluster, provider));
  (cluster.workerPools ?? []).forEach((pool, index) => {
    missing.push(...missingDisk(pool, provider, ["workerPools", index]));
    for (const key of ["machineType", "autoScalerMin", "autoScalerMax"] as const) {
      if (pool[key] === undefined) missing.push({ path: ["workerPools", index, key], expected: "a value" });
    }
  });
  return missing;
}

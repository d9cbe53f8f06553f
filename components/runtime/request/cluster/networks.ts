import { isWithin, overlap, parseCidr, type Range } from "../../../../foundation/net/cidr";
import { renderPath, type Path } from "../../../../foundation/schema/faults";
import type { ClusterRequest } from "./shape";

/** Checks the address ranges of a cluster: which must contain others, and which must not overlap. Pure. */

interface Network {
  readonly path: Path;
  readonly text: string;
  readonly range: Range;
}

interface NetworkIssue {
  readonly path: Path;
  readonly expected: string;
}

const CLOUD = "providerSpecificConfig";

const networkAt = (path: Path, text: string | undefined): Network[] => {
  const range = text === undefined ? undefined : parseCidr(text);
  return text === undefined || range === undefined ? [] : [{ path, text, range }];
};

export function networkIssues(cluster: ClusterRequest): NetworkIssue[] {
  const { workerCidr, podsCidr, servicesCidr } = cluster;
  const cloud = cloudOf(cluster);
  const subnets = subnetsOf(cluster);
  const pods = networkAt(["podsCidr"], podsCidr);
  const services = networkAt(["servicesCidr"], servicesCidr);
  // Clients may set a range for all nodes in addition to those of the zones, where it has no effect.
  const workers = subnets.length > 0 ? [] : networkAt(["workerCidr"], workerCidr);
  const nodes = cloud.length > 0 ? cloud : workers;
  return [
    ...[...subnets, ...(cloud.length > 0 ? workers : [])].flatMap((inner) => outside(inner, cloud)),
    ...overlapping(subnets),
    ...overlapping([...nodes, ...pods, ...services]),
  ];
}

/** The virtual network of the cloud, if there is one. */
function cloudOf({ providerSpecificConfig: { azureConfig, awsConfig } = {} }: ClusterRequest): Network[] {
  return [
    ...networkAt([CLOUD, "azureConfig", "vnetCidr"], azureConfig?.vnetCidr),
    ...networkAt([CLOUD, "awsConfig", "vpcCidr"], awsConfig?.vpcCidr),
  ].slice(0, 1);
}

/** The ranges of the zones in it. */
function subnetsOf({ workerCidr, providerSpecificConfig = {} }: ClusterRequest): Network[] {
  const { azureConfig, awsConfig } = providerSpecificConfig;
  const azure = (azureConfig?.azureZones ?? []).flatMap(({ cidr }, index) =>
    networkAt([CLOUD, "azureConfig", "azureZones", index, "cidr"], cidr),
  );
  const at = [CLOUD, "awsConfig"];
  const aws = (awsConfig?.awsZones ?? []).flatMap((zone, index) =>
    (["publicCidr", "internalCidr", "workerCidr"] as const).flatMap((key) =>
      networkAt([...at, "awsZones", index, key], zone[key]),
    ),
  );
  if (awsConfig === undefined || awsConfig.awsZones !== undefined) return [...azure, ...aws];
  return [
    ...networkAt([...at, "publicCidr"], awsConfig.publicCidr),
    ...networkAt([...at, "internalCidr"], awsConfig.internalCidr),
    ...networkAt(["workerCidr"], workerCidr),
  ];
}

function outside({ path, range }: Network, [whole]: readonly Network[]): NetworkIssue[] {
  if (whole === undefined) return [];
  return isWithin(range, whole.range)
    ? []
    : [{ path, expected: `a range in ${whole.text} (${renderPath(whole.path)})` }];
}

/** Each range that overlaps with an earlier one, with the first such range. */
function overlapping(networks: readonly Network[]): NetworkIssue[] {
  return networks.flatMap(({ path, range }, index) => {
    const other = networks.slice(0, index).find((before) => overlap(before.range, range));
    if (other === undefined) return [];
    return [{ path, expected: `a range that does not overlap ${other.text} (${renderPath(other.path)})` }];
  });
}

/** Creates Karpenter's NodePools and node classes from the node pools of the config. Pure. */

import { zonesOf, type EksConfig } from "./eksConfig";
import { instanceType, vcpusOf } from "../nodePool/instanceType";
import { amiType, dataDevice, nodeLabels, SYSTEM_DEVICE, type NodePoolConfig } from "../nodePool/plan";
import { claimedPools } from "../nodePool/pools";
import type { KnownSource } from "./karpenterSettings";

type Manifest = Record<string, unknown>;

/** Default time after which an unneeded node is removed; the same as with the cluster-autoscaler. */
const UNNEEDED_FOR = "10m";
/**
 * Time after which nodes of a pool with `forceUpdate` are removed despite disruption budgets; the same as for an EKS
 * node group.
 */
const FORCED_AFTER = "15m";
/** Size of Bottlerocket's system volume. */
const SYSTEM_SIZE = "4Gi";

/** API of a node class, and the maximum age of its nodes. */
export interface ClassKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly expireAfter: string;
  /** Whether a NodePool may require an operating system. */
  readonly takesOs: boolean;
}

export const EC2_CLASS: ClassKind = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  expireAfter: "720h",
  takesOs: true,
};

/** The NodePools of a config. */
export const nodePoolManifests = (config: EksConfig, of: ClassKind): Manifest[] =>
  Object.entries(claimedPools(config)).map(([name, pool]) =>
    nodePoolManifest(name, pool, zonesOf(config), of, config.steadyPools?.includes(name)),
  );

/**
 * A NodePool. `zones`: number of zones of the cluster; with `perZone`, `max` applies to each. `steady`: nodes are
 * removed only when empty.
 */
export function nodePoolManifest(
  name: string,
  pool: NodePoolConfig,
  zones: number,
  of: ClassKind,
  steady = false,
): Manifest {
  const architecture = instanceType(pool.instanceTypes[0] ?? "")?.architecture === "arm64" ? "arm64" : "amd64";
  const only = (key: string, ...values: string[]) => ({ key, operator: "In", values });
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        metadata: { labels: nodeLabels(name, pool) },
        spec: {
          nodeClassRef: { group: of.apiVersion.split("/")[0], kind: of.kind, name },
          ...(pool.taints.length === 0 ? {} : { taints: pool.taints.map((taint) => ({ ...taint })) }),
          requirements: [
            only("node.kubernetes.io/instance-type", ...pool.instanceTypes),
            only("karpenter.sh/capacity-type", ...capacityTypes(pool)),
            ...(pool.zones ? [only("topology.kubernetes.io/zone", ...pool.zones)] : []),
            only("kubernetes.io/arch", architecture),
            ...(of.takesOs ? [only("kubernetes.io/os", "linux")] : []),
          ],
          expireAfter: of.expireAfter,
          ...(pool.forceUpdate ? { terminationGracePeriod: FORCED_AFTER } : {}),
        },
      },
      limits: limitsOf(pool, zones),
      disruption: {
        consolidationPolicy: steady ? "WhenEmpty" : "WhenEmptyOrUnderutilized",
        consolidateAfter: pool.scaleDown?.unneededFor ?? UNNEEDED_FOR,
        budgets: [{ nodes: `${pool.maxUnavailablePercent}%` }],
      },
    },
  };
}

/** Reserved capacity comes first; a Capacity Block is nothing else. */
function capacityTypes({ capacity, capacityReservationIds }: NodePoolConfig): string[] {
  if (capacity === "capacityBlock") return ["reserved"];
  return [...(capacityReservationIds ? ["reserved"] : []), capacity === "spot" ? "spot" : "on-demand"];
}

/** Reservations as the classes of Karpenter and EKS Auto Mode select them. */
export const reservationTerms = ({ capacityReservationIds: ids }: NodePoolConfig) =>
  ids ? { capacityReservationSelectorTerms: ids.map((id) => ({ id })) } : {};

/**
 * Karpenter checks limits before it adds nodes, and counts the CPUs of pending ones. With a limit on `nodes` alone,
 * many pods at once would exceed it.
 */
function limitsOf(pool: NodePoolConfig, zones: number): Record<string, string> {
  const { instanceTypes, max, perZone } = pool;
  const nodes = perZone ? max * ((pool.zones ?? pool.subnetIds)?.length ?? zones) : max;
  const cpus = instanceTypes.map(vcpusOf);
  const known = cpus.filter((cpu) => cpu !== undefined);
  return { nodes: String(nodes), ...(known.length === cpus.length && { cpu: String(nodes * Math.max(...known)) }) };
}

/** The EC2NodeClass of a pool, equivalent to the launch template of a node group. */
export function ec2ClassManifest(
  name: string,
  pool: NodePoolConfig,
  { roleName, subnetIds, securityGroupId, images, placementGroups = {} }: KnownSource,
  { tags, minor }: { readonly tags: Readonly<Record<string, string>>; readonly minor: string },
): Manifest {
  const { os, diskGb, diskKey, userData } = pool;
  const placementGroup = placementGroups[name];
  const disk = (volumeSize: string) => ({
    volumeType: "gp3",
    volumeSize,
    encrypted: true,
    deleteOnTermination: true,
    ...(diskKey === undefined ? {} : { kmsKeyID: diskKey }),
  });
  return {
    apiVersion: EC2_CLASS.apiVersion,
    kind: EC2_CLASS.kind,
    metadata: { name },
    spec: {
      role: roleName,
      ...imageOf(pool, images[name], minor),
      subnetSelectorTerms: (pool.subnetIds ?? subnetIds).map((id) => ({ id })),
      securityGroupSelectorTerms: [securityGroupId, ...pool.securityGroupIds].map((id) => ({ id })),
      // A hop limit of 1 prevents pods from obtaining the node's credentials.
      metadataOptions: {
        httpEndpoint: "enabled",
        httpProtocolIPv6: "disabled",
        httpTokens: "required",
        httpPutResponseHopLimit: 1,
      },
      blockDeviceMappings: [
        ...(os === "bottlerocket" ? [{ deviceName: SYSTEM_DEVICE, ebs: disk(SYSTEM_SIZE) }] : []),
        { deviceName: dataDevice(os), ebs: disk(`${diskGb}Gi`) },
      ],
      tags: { ...tags },
      ...reservationTerms(pool),
      ...(placementGroup === undefined ? {} : { placementGroupSelector: { name: placementGroup } }),
      ...(pool.localStorage ? { instanceStorePolicy: pool.localStorage } : {}),
      ...(userData === undefined ? {} : { userData }),
    },
  };
}

/** The image of a class. No alias has FIPS modules, so the parameter of AWS names that image. */
function imageOf(pool: NodePoolConfig, release: string | undefined, minor: string): Manifest {
  const { os, amiId, fips } = pool;
  if (amiId === undefined && !fips) return { amiSelectorTerms: [{ alias: imageAlias(os, release) }] };
  const amiFamily = os === "al2023" ? "AL2023" : "Bottlerocket";
  if (amiId !== undefined) return { amiFamily, amiSelectorTerms: [{ id: amiId }] };
  const type = amiType(pool);
  const flavour = type.includes("_NVIDIA") ? "nvidia-fips" : "fips";
  const machine = type.includes("ARM_64") ? "arm64" : "x86_64";
  const image = `${machine}/${release?.split("-")[0] ?? "latest"}/image_id`;
  return {
    amiFamily,
    amiSelectorTerms: [{ ssmParameter: `/aws/service/bottlerocket/aws-k8s-${minor}-${flavour}/${image}` }],
  };
}

/**
 * Converts a release to an image alias: `1.35.2-20260715` to `al2023@v20260715`, `1.50.0-1a2b3c4d` to
 * `bottlerocket@v1.50.0`. Without a release: the latest.
 */
export function imageAlias(os: NodePoolConfig["os"], release: string | undefined): string {
  if (release === undefined) return `${os}@latest`;
  const [version = "", build = ""] = release.split("-");
  return `${os}@v${os === "al2023" ? build : version}`;
}

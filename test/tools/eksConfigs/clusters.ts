/** Random clusters on EKS that the product accepts. */

import * as z from "zod";
import { eksCluster } from "../../../components/eks/config/schema";
import { eks } from "../../../components/eks/feature";
import { karpenter } from "../../../components/karpenter/feature";
import { partitionOf } from "../../../components/cluster/onEks/regions";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { ConfigError } from "../../../foundation/schema/faults";
import { seededRandom } from "../../../toolchain/tests/random";
import { filesOf } from "../../unit/config/fixtures";
import { Values } from "./values";

type Cluster = Record<string, unknown>;

/** A cluster that the product accepts, or the faults of one that it does not. */
export type Tried =
  { readonly cluster: Cluster; readonly region: string; readonly config: PlatformConfig } | { readonly faults: string };

const SCHEMA = z.toJSONSchema(eksCluster, { io: "input", unrepresentable: "any" });
const REGIONS = ["eu-central-1", "us-east-1", "ap-southeast-2", "us-gov-west-1", "cn-north-1"];
/** Versions of which the schemas of AWS know the values. */
const VERSIONS = ["1.33", "1.34", "1.35"];
/** Rounds of removing what has faults, which may have new ones then. */
const ROUNDS = 25;

/** What AWS knows, by the end of a path; nothing for keys that are never set. */
function samplesOf(region: string): Readonly<Record<string, readonly unknown[]>> {
  const arn = (service: string, rest: string) => `arn:${partitionOf(region)}:${service}:${rest}`;
  const ids = (kind: string) => ["a", "b", "c"].map((digit) => `${kind}-0123456789abcde${digit}0`);
  const iam = (rest: string) => arn("iam", `:123456789012:${rest}`);
  const roles = ["ci", "teams/data", "ops"].map((name) => iam(`role/${name}`));
  const keys = ["0", "1"].map((digit) =>
    arn("kms", `${region}:123456789012:key/${digit}a1b2c3d-0000-4000-8000-000000000000`),
  );
  return {
    name: ["acme", "data_platform", `A${"b".repeat(60)}`],
    region: [region],
    version: VERSIONS,
    "network.cidr": ["10.0.0.0/16", "10.20.0.0/20", "192.168.0.0/18"],
    serviceCidr: ["172.20.0.0/16", "10.100.0.0/20"],
    "reserved.*": ["10.200.0.0/16", "10.201.0.0/16"],
    "routes.*.cidr": ["10.210.0.0/16", "172.31.0.0/16"],
    transitGatewayId: ids("tgw"),
    peeringConnectionId: ids("pcx"),
    "publicCidrs.*": ["203.0.113.0/24", "198.51.100.7/32"],
    "privateCidrs.*": ["10.200.0.0/16", "192.168.128.0/24"],
    "privateSubnetIds.*": ids("subnet"),
    "publicSubnetIds.*": ["subnet-0123456789abcdef0"],
    "subnetIds.*": ids("subnet"),
    "securityGroupIds.*": ids("sg"),
    "privateSecurityGroupIds.*": ids("sg"),
    "admins.*": roles,
    "readers.*": roles,
    principal: roles,
    "groups.*": ["data-team", "viewers"],
    "namespaces.*": ["hub", "data-*"],
    "policies.*.policy": ["AmazonEKSEditPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSViewPolicy"],
    kmsKey: keys,
    diskKey: keys,
    volumeKey: keys,
    prefix: ["team", "acme-eu"],
    permissionsBoundary: [iam("policy/bounds")],
    "addons.key": [...ADDONS, "aws-guardduty-agent", "snapshot-controller"],
    "addons.*.version": ["v9.9.9-eksbuild.1"],
    roleArn: roles,
    fileSystemId: ids("fs"),
    workspaceId: ["ws-01234567-89ab-cdef-0123-456789abcdef"],
    "buckets.*.bucket": ["acme-events", arn("s3", "::acme-models")],
    "buckets.*.kmsKey": keys,
    "prefixes.*": ["raw/", "part-"],
    "addonVersions.*": ["v9.9.9-eksbuild.1"],
    "tags.key": ["team", "cost-center"],
    "tags.*": ["data", "4711"],
    "karpenter.memoryMb": [1024],
    "karpenter.timeoutSeconds": [300],
    "nodePools.key": ["general", "gpu", "spot", "karpenter", "autoscaler"],
    "instanceTypes.*": [
      "m7i.xlarge",
      "m7i.2xlarge",
      "m7g.xlarge",
      "c7gn.16xlarge",
      "g6.xlarge",
      "p4d.24xlarge",
      "inf2.xlarge",
      "i4i.xlarge",
    ],
    "nodePools.*.max": [1, 5, 40],
    "nodePools.*.min": [0, 1, 2],
    "nodePools.*.desired": [0, 1, 2],
    diskGb: [30, 100, 500],
    "nodePools.*.version": VERSIONS,
    "labels.key": ["team", "example.com/tier"],
    "labels.*": ["data", "a.b"],
    "taints.*.key": ["dedicated", "example.com/gpu"],
    "taints.*.value": ["data", "ray"],
    toleratedBy: ["jobs of the data team"],
    "zones.*": ["a", "b", "c"].map((zone) => region + zone),
    amiId: ids("ami"),
    "capacityReservationIds.*": ids("cr"),
    "nodePools.*.ami": ["latest"],
    // These need files, or are whatever an add-on or a chart takes.
    ...{
      userData: [],
      lockFile: [],
      importFile: [],
      arguments: [],
      lock: [],
      "cluster.ami": [],
      values: [],
      addonValues: [],
    },
    // With the other type, the provider of @pulumi/eks makes the cluster.
    "cluster.type": ["eks"],
  };
}

const ADDONS = [
  "aws-efs-csi-driver",
  "aws-fsx-csi-driver",
  "aws-mountpoint-s3-csi-driver",
  "amazon-cloudwatch-observability",
  "adot",
];

/** The cluster of a seed: random keys and values of the schema, without those that have faults. */
export function clusterOf(seed: number): Tried {
  const random = seededRandom(seed);
  const region = REGIONS[Math.floor(random() * REGIONS.length)]!;
  const samples = samplesOf(region);
  const values = new Values(random, (path) => {
    const names = ["cluster", ...path];
    return [3, 2, 1].map((last) => samples[names.slice(-last).join(".")]).find((found) => found !== undefined);
  });
  const cluster = values.of(SCHEMA) as Cluster;
  let faults = "";
  for (let round = 0; round < ROUNDS; round++) {
    complete(cluster, region);
    try {
      return { cluster, region, config: decode(cluster) };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults = error.message;
      // Later items of a list first, so that the others keep their places.
      for (const { path } of error.faults.toReversed()) remove(cluster, path.slice(1));
    }
  }
  return { faults };
}

const decode = (cluster: Cluster): PlatformConfig =>
  decodeConfig({ values: { cluster }, stack: "dev" }, filesOf({}), [eks, karpenter]);

/** Of those above, the ones that have p4d. */
const BLOCK_REGIONS = new Set(["eu-central-1", "us-east-1"]);

/** Adds what every cluster needs: an administrator, and a pool without taints; and what a Capacity Block needs. */
function complete(cluster: Cluster, region: string): void {
  const access = ((cluster["access"] as Cluster | undefined) ??= {});
  if (access["admins"] === undefined) access["creatorIsAdmin"] = true;
  const pools = ((cluster["nodePools"] as Cluster | undefined) ??= {});
  const min = (cluster["nodes"] ?? "managed") === "managed" ? { min: 2 } : {};
  pools["system"] ??= { instanceTypes: ["m7i.xlarge"], ...min, max: 5 };
  for (const [name, pool] of Object.entries(pools) as [string, Cluster][]) {
    if (pool["capacity"] !== "capacityBlock") continue;
    // Karpenter and the cluster-autoscaler run in the pools of these names, which need a node.
    if (["karpenter", "autoscaler"].includes(name) || !BLOCK_REGIONS.has(region)) {
      delete pool["capacity"];
      continue;
    }
    const block = { capacityReservationIds: ["cr-0123456789abcdef0"], zones: [`${region}a`], min: 0 };
    Object.assign(pool, { instanceTypes: ["p4d.24xlarge"], ...block });
  }
}

/** Removes the value at a path, or what should have it. */
function remove(from: unknown, [key, ...rest]: readonly (string | number)[]): void {
  if (key === undefined) return;
  const inner = (from as Record<string, unknown>)[key];
  if (rest.length > 0 && typeof inner === "object" && inner !== null && hasAt(inner, rest)) return remove(inner, rest);
  if (Array.isArray(from)) from.splice(Number(key), 1);
  else delete (from as Record<string, unknown>)[key];
}

const hasAt = (value: object, [key]: readonly (string | number)[]): boolean => key !== undefined && key in value;

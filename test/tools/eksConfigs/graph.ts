/** What the product registers for a cluster, where AWS answers with ids and ARNs as they look. */

import { eks } from "../../../components/eks/feature";
import { karpenter } from "../../../components/karpenter/feature";
import { partitionOf } from "../../../components/cluster/onEks/regions";
import { createFeatures } from "../../../components/platform/create";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { readOwnState } from "../../../components/resources/ownState";
import type { Node } from "../../engine/snapshots/graph";
import { RunError } from "@pulumi/pulumi";
import { clusterOf } from "./clusters";
import type { Linted } from "./lint";
import { mock, settled, type Call, type Registered } from "../../unit/runtime/mocks";

const ACCOUNT = "123456789012";

const IDS: Readonly<Record<string, string>> = {
  InternetGateway: "igw",
  LaunchTemplate: "lt",
  NatGateway: "nat",
  RouteTable: "rtb",
  Subnet: "subnet",
  TransitGatewayVpcAttachment: "tgw-attach",
  Vpc: "vpc",
  Eip: "eipalloc",
};

/** Hexadecimal digits that differ from name to name. */
const digits = (name: string): string =>
  [...name]
    .reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7)
    .toString(16)
    .padStart(17, "0");

/** Ids, ARNs and other outputs of resources in a region. */
function outputsOf({ type, name, inputs }: Registered, region: string): Record<string, unknown> {
  const kind = type.split(":").at(-1) ?? "";
  const { name: own = name } = inputs as { name?: string };
  const arn = (service: string, rest: string) => `arn:${partitionOf(region)}:${service}:${rest}`;
  const inRegion = (service: string, rest: string) => arn(service, `${region}:${ACCOUNT}:${rest}`);
  const issuer = `https://oidc.eks.${region}.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF`;
  const prefix = IDS[kind];
  const outputs: Readonly<Record<string, object>> = {
    Cluster: {
      arn: inRegion("eks", `cluster/${own}`),
      endpoint: `https://0123456789ABCDEF.gr7.${region}.eks.amazonaws.com`,
      certificateAuthority: { data: "Q0E=" },
      identities: [{ oidcs: [{ issuer }] }],
      vpcConfig: {
        ...(inputs["vpcConfig"] as object | undefined),
        ...{ clusterSecurityGroupId: "sg-0123456789abcdef0", vpcId: "vpc-0123456789abcdef0" },
      },
    },
    Key: {
      arn: inRegion("kms", "key/0a1b2c3d-0000-4000-8000-000000000000"),
      id: "0a1b2c3d-0000-4000-8000-000000000000",
    },
    LaunchTemplate: { latestVersion: 1 },
    NodeGroup: { resources: [{ autoscalingGroups: [{ name: `eks-${digits(name)}` }] }] },
    OpenIdConnectProvider: { arn: arn("iam", `:${ACCOUNT}:oidc-provider/${issuer.slice(8)}`), url: issuer.slice(8) },
    Queue: { arn: inRegion("sqs", own), url: `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${own}` },
    Role: { arn: arn("iam", `:${ACCOUNT}:role/${own}`) },
    EventRule: { arn: inRegion("events", `rule/${own}`) },
  };
  return { ...(prefix && { id: `${prefix}-${digits(name)}` }), ...outputs[kind] };
}

/** What AWS says to the questions of a preview: every type, zone, image and add-on exists. */
function answerOf({ token, inputs }: Call, region: string, caller: string): Record<string, unknown> {
  const zones = ["a", "b", "c"].map((zone) => region + zone);
  const [, what = ""] = /:(\w+)$/.exec(token) ?? [];
  const { keyId = "", id = keyId } = inputs as { keyId?: string; id?: string };
  const answers: Readonly<Record<string, () => Record<string, unknown>>> = {
    getAddonVersion: () => ({ version: inputs["mostRecent"] ? "v99.0.0-eksbuild.1" : "v1.2.3-eksbuild.1" }),
    getAvailabilityZones: () => ({ names: zones }),
    getBucket: () => ({ bucketRegion: region }),
    getCallerIdentity: () => ({ arn: caller }),
    getClusterVersions: () => ({ clusterVersions: [] }),
    getDefaultKmsKey: () => ({ keyArn: "arn:aws:kms:eu-central-1:123456789012:alias/aws/ebs" }),
    getFileSystem: () => ({ availabilityZoneName: "" }),
    getInstanceType: () => ({
      ...{ defaultVcpus: 16, memorySize: 65_536, gpuses: [], instanceStorageSupported: true },
      ...{ maximumNetworkInterfaces: 8, maximumIpv4AddressesPerInterface: 30 },
      ...{ efaSupported: true, maximumNetworkCards: 2, efaMaximumInterfaces: 2 },
    }),
    getInstanceTypeOfferings: () => ({
      instanceTypes: (inputs["filters"] as { values: string[] }[]).flatMap(({ values }) => values),
    }),
    getKey: () => ({ arn: id, keyState: "Enabled", keyUsage: "ENCRYPT_DECRYPT", keySpec: "SYMMETRIC_DEFAULT" }),
    getParameter: () => ({ insecureValue: parameterOf(String(inputs["name"])) }),
    getPartition: () => ({ partition: partitionOf(region) }),
    // Zones by the letter of the id, in one VPC.
    getSubnet: () => ({
      ...{ id, vpcId: "vpc-0123456789abcdef0", availableIpAddressCount: 4000, outpostArn: "", availabilityZoneId: "" },
      availabilityZone: region + (/[abc](?=0$)/.exec(id)?.[0] ?? "a"),
    }),
  };
  if (what === "getRole") {
    if (String(inputs["name"]).startsWith("AWSServiceRoleFor")) return { arn: "there" };
    throw Object.assign(new Error("NoSuchEntity"), { details: "NoSuchEntity" });
  }
  return answers[what]?.() ?? {};
}

/** Release of an image by the name of its parameter. */
const parameterOf = (name: string): string =>
  name.includes("bottlerocket") ? "1.50.0-0a1b2c3d" : `${/1\.\d\d/.exec(name)?.[0]}.3-20261101`;

/** The resources of a cluster. Throws if the preview would refuse it. */
async function graphOf(config: PlatformConfig, region: string): Promise<Node[]> {
  const { cluster } = config;
  const { admins, creatorIsAdmin } = (cluster as Extract<typeof cluster, { type: "eks" }>).eks.access;
  const [admin] = creatorIsAdmin ? [] : Object.values(admins);
  const caller = admin ?? `arn:${partitionOf(region)}:iam::${ACCOUNT}:role/deployer`;
  const recorder = mock(
    (made) => outputsOf(made, region),
    (call) => answerOf(call, region, caller),
  );
  const charts = { archives: { karpenter: "./karpenter.tgz" } };
  await createFeatures([eks, karpenter], config, charts, readOwnState());
  await settled(recorder);
  return recorder.resources.map(({ type, name, inputs }) => ({ type, name, inputs }));
}

/** Graphs of `count` clusters, from a seed on, without those that the config or a preview refuses. */
export async function graphs(seed: number, count: number): Promise<{ readonly made: Linted[]; readonly next: number }> {
  const made: Linted[] = [];
  let next = seed;
  for (; made.length < count; next++) {
    const tried = clusterOf(next);
    if ("faults" in tried) continue;
    const { config, region } = tried;
    const graph = await graphOf(config, region).catch((error: unknown) => {
      if (error instanceof RunError) return undefined;
      throw error;
    });
    if (graph) made.push({ label: `seed-${next}`, region, graph });
  }
  return { made, next };
}

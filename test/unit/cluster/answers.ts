import type { Registered } from "../runtime/mocks";

const ARN = "arn:aws:eks:eu-central-1:123456789012";
/** The outputs of resources that AWS would create. */
export function outputsOf({ type, name, inputs }: Registered): Record<string, unknown> {
  const issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF";
  if (type === "eks:index:Cluster")
    return {
      eksCluster: {
        name: inputs["name"],
        vpcConfig: {},
        ...outputsOf({ type: "aws:eks/cluster:Cluster", name, inputs }),
      },
    };
  if (type === "aws:eks/cluster:Cluster") {
    return {
      arn: `${ARN}:cluster/${String(inputs["name"])}`,
      endpoint: "https://x.eks.amazonaws.com",
      certificateAuthority: { data: "Q0E=" },
      identities: [{ oidcs: [{ issuer }] }],
    };
  }
  if (type === "aws:eks/nodeGroup:NodeGroup") {
    return { arn: `${ARN}:nodegroup/${name}`, resources: [{ autoscalingGroups: [{ name: `asg-${name}` }] }] };
  }
  if (type === "aws:ec2/launchTemplate:LaunchTemplate") return { latestVersion: 7 };
  return { arn: `arn:aws:test:::${name}`, url: inputs["url"] ?? issuer };
}

/** What AWS answers when it is asked: three zones, every instance type, and a caller who is `who`. */
export function answerOf(
  { token, inputs }: { token: string; inputs: Record<string, unknown> },
  who = "ci",
): Record<string, unknown> {
  if (token.includes("getAvailabilityZones")) return { names: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] };
  if (token.includes("getAddonVersion"))
    return { version: inputs["mostRecent"] ? "v99.0.0-eksbuild.1" : `v1-${String(inputs["addonName"])}` };
  if (token.includes("getCallerIdentity")) return { arn: `arn:aws:sts::123456789012:assumed-role/${who}/session` };
  if (token.includes("getInstanceTypeOfferings"))
    return { instanceTypes: (inputs["filters"] as { values: string[] }[]).flatMap(({ values }) => values) };
  if (token.includes("getInstanceType:")) return instanceTypeOf(String(inputs["instanceType"]));
  if (token.includes("eks/getCluster:")) {
    return {
      arn: `arn:aws:eks:eu-central-1:123456789012:cluster/${String(inputs["name"])}`,
      identities: [{ oidcs: [{ issuer: "https://oidc.example.com/id/0A" }] }],
      vpcConfig: { vpcId: "vpc-0a" },
    };
  }
  if (token.includes("ec2/getSubnet:")) return subnetOf(String(inputs["id"]));
  if (String(inputs["name"]).startsWith("AWSServiceRoleFor")) return { arn: "arn:aws:iam::123456789012:role/linked" };
  if (token.includes("getDefaultKmsKey")) return { keyArn: "arn:aws:kms:eu-central-1:123456789012:alias/aws/ebs" };
  if (token.includes("kms/getKey:"))
    return { arn: inputs["keyId"], keyState: "Enabled", keyUsage: "ENCRYPT_DECRYPT", keySpec: "SYMMETRIC_DEFAULT" };
  if (token.includes("iam/getRole:")) throw new Error(`NoSuchEntity: no role ${String(inputs["name"])}`);
  if (token.includes("getOpenIdConnectProvider"))
    return { arn: `arn:aws:iam::123456789012:oidc-provider/${String(inputs["url"]).replace("https://", "")}` };
  return { partition: "aws" };
}

/** As AWS describes types of the families m, r and t: numbers of `aws ec2 describe-instance-types`. */
function instanceTypeOf(type: string): Record<string, unknown> {
  const [family = "", size = ""] = type.split(".");
  const vcpus = size === "large" || size === "medium" ? 2 : 4 * Number(/^\d+/.exec(size)?.[0] ?? 1);
  const perCpu = family.startsWith("r") ? 8 : family.startsWith("c") ? 2 : 4;
  return {
    defaultVcpus: vcpus,
    memorySize: vcpus * perCpu * 1024,
    gpuses: [],
    maximumNetworkInterfaces: vcpus < 4 ? 3 : 4,
    maximumIpv4AddressesPerInterface: vcpus < 4 ? 10 : 15,
  };
}

/** A subnet of one VPC, with room, in the zone of the last letter of its id. */
export const subnetOf = (id: string): Record<string, unknown> => ({
  id,
  vpcId: "vpc-0a",
  availabilityZone: `eu-central-1${id.at(-1)}`,
  availabilityZoneId: `euc1-az${id.at(-1)}`,
  availableIpAddressCount: 4000,
  outpostArn: "",
});

import type { Conditions, Statement } from "../cluster/serviceAccountRole/document";
import { partsOf } from "../cluster/serviceAccountRole/clusterArn";

const DESCRIBE = [
  "CapacityReservations",
  "Images",
  "Instances",
  "InstanceStatus",
  "InstanceTypeOfferings",
  "InstanceTypes",
  "LaunchTemplates",
  "PlacementGroups",
  "SecurityGroups",
  "SpotPriceHistory",
  "Subnets",
].map((what) => `ec2:Describe${what}`);

interface Granted {
  readonly clusterArn: string;
  readonly nodeRoleArn: string;
  readonly queueArn: string;
}

/**
 * Permissions of Karpenter for the cluster with this ARN: create instances with the cluster's tags, change and delete
 * only those, pass only the nodes' role, and read its queue. Derived from the policies that its version 1.14.1
 * documents, without zonal shift. Pure.
 */
export function karpenterStatements({ clusterArn, nodeRoleArn, queueArn }: Granted): Statement[] {
  const { partition, account, place, name } = partsOf(clusterArn);
  const [region = ""] = place.split(":");
  const ec2 = (...kinds: string[]) => kinds.map((kind) => `arn:${partition}:ec2:${region}:*:${kind}/*`);
  const shared = (...kinds: string[]) => kinds.map((kind) => `arn:${partition}:ec2:${region}::${kind}/*`);
  const created = ec2("fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request");
  const profiles = [`arn:${partition}:iam::${account}:instance-profile/*`];
  const tag = (kind: "Request" | "Resource", key: string) => `aws:${kind}Tag/${key}`;
  const cluster = `kubernetes.io/cluster/${name}`;
  const owned = { [tag("Resource", cluster)]: "owned" };
  const asked = { [tag("Request", cluster)]: "owned", [tag("Request", "eks:eks-cluster-name")]: name };
  const inRegion = (kind: "Request" | "Resource") => ({ [tag(kind, "topology.kubernetes.io/region")]: region });
  const like = (kind: "Request" | "Resource", key: string) => ({ [tag(kind, key)]: "*" });
  const allow = (sid: string, actions: string[], resources: string[], conditions?: Conditions): Statement => ({
    sid,
    effect: "Allow",
    actions,
    resources,
    ...(conditions && { conditions }),
  });
  const [pool, nodeClass] = ["karpenter.sh/nodepool", "karpenter.k8s.aws/ec2nodeclass"];
  const launch = ["ec2:RunInstances", "ec2:CreateFleet"];
  return [
    allow("LaunchFrom", launch, [
      ...shared("image", "snapshot"),
      ...ec2("security-group", "subnet", "capacity-reservation", "placement-group"),
    ]),
    allow("LaunchFromTemplates", launch, ec2("launch-template"), {
      StringEquals: owned,
      StringLike: like("Resource", pool),
    }),
    allow("Launch", [...launch, "ec2:CreateLaunchTemplate"], created, {
      StringEquals: asked,
      StringLike: like("Request", pool),
    }),
    allow("TagCreated", ["ec2:CreateTags"], created, {
      StringEquals: { ...asked, "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"] },
      StringLike: like("Request", pool),
    }),
    allow("TagInstances", ["ec2:CreateTags"], ec2("instance"), {
      StringEquals: owned,
      StringLike: like("Resource", pool),
      StringEqualsIfExists: { [tag("Request", "eks:eks-cluster-name")]: name },
      "ForAllValues:StringEquals": { "aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"] },
    }),
    allow("Delete", ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"], ec2("instance", "launch-template"), {
      StringEquals: owned,
      StringLike: like("Resource", pool),
    }),
    allow("PassNodeRole", ["iam:PassRole"], [nodeRoleArn], {
      StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] },
    }),
    allow("CreateProfiles", ["iam:CreateInstanceProfile"], profiles, {
      StringEquals: { ...asked, ...inRegion("Request") },
      StringLike: like("Request", nodeClass),
    }),
    allow("TagProfiles", ["iam:TagInstanceProfile"], profiles, {
      StringEquals: { ...owned, ...inRegion("Resource"), ...asked, ...inRegion("Request") },
      StringLike: { ...like("Resource", nodeClass), ...like("Request", nodeClass) },
    }),
    allow(
      "ChangeProfiles",
      ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"],
      profiles,
      { StringEquals: { ...owned, ...inRegion("Resource") }, StringLike: like("Resource", nodeClass) },
    ),
    allow("SeeProfiles", ["iam:GetInstanceProfile"], profiles),
    {
      ...allow("See", DESCRIBE, ["*"], { StringEquals: { "aws:RequestedRegion": region } }),
      wildcardReason: "these actions only describe, and AWS offers no resources for them",
    },
    {
      ...allow("SeePrices", ["pricing:GetProducts", "iam:ListInstanceProfiles"], ["*"]),
      wildcardReason: "these actions only list, and AWS offers no resources for them",
    },
    allow("SeeImages", ["ssm:GetParameter"], [`arn:${partition}:ssm:${region}::parameter/aws/service/*`]),
    allow("SeeCluster", ["eks:DescribeCluster"], [clusterArn]),
    allow("ReadQueue", ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"], [queueArn]),
  ];
}

import type { NodeGroup } from "@pulumi/aws/eks";
import { Role, RolePolicy, RolePolicyAttachment } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../resources/package";
import type { JoinedCluster } from "../cluster/nodePool/bootstrap";
import { NodePool } from "../cluster/nodePool/nodePool";
import type { NodePoolConfig } from "../cluster/nodePool/plan";
import type { RunningGroup } from "../cluster/nodePool/size";
import { CNI_POLICY } from "../cluster/serviceAccountRole/addonRoles";
import { POLICY_LIMIT, renderDocument, TRUST_LIMIT, type Statement } from "../cluster/serviceAccountRole/document";
import { bounded, type EksConfig } from "../cluster/onEks/eksConfig";
import { nodeRole } from "../cluster/onEks/onEks";
import { nodeGroups } from "../cluster/nodePool/pools";
import { isIpv6 } from "./config/pulumiEks";
import { NODE_POLICIES } from "./nodePolicies";
import type { PoolHardware } from "./preflight/hardware";

interface NodesArgs {
  /** Plain, because each pool is a resource. */
  readonly config: EksConfig;
  /** Name of the cluster. */
  readonly clusterName: pulumi.Input<string>;
  /** Private subnets, one per zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** As in ARNs: `aws`, `aws-cn`, `aws-us-gov` and others. */
  readonly partition: pulumi.Input<string>;
  /** Existing node groups of the stack, by resource name. */
  readonly running: Readonly<Record<string, RunningGroup>>;
  /** Image releases by pool, for pools that set `ami`. */
  readonly images: Readonly<Record<string, string>>;
  readonly hardware: PoolHardware;
  /** What nodes of an own image need to join. */
  readonly join: pulumi.Input<JoinedCluster>;
  /** Security group that EKS creates for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** Dependencies of the nodes: the network add-on. */
  readonly before: readonly pulumi.Resource[];
}

/** What the network add-on needs for addresses of IPv6. Source: the EKS user guide, "Configure VPC CNI plugin to use IRSA". */
const IPV6: readonly Statement[] = [
  {
    effect: "Allow",
    actions: [
      ...["ec2:AssignIpv6Addresses", "ec2:DescribeInstances", "ec2:DescribeTags"],
      ...["ec2:DescribeNetworkInterfaces", "ec2:DescribeInstanceTypes"],
    ],
    resources: ["*"],
    wildcardReason: "EC2 describes by account, and network interfaces of nodes have no names in advance.",
  },
  { effect: "Allow", actions: ["ec2:CreateTags"], resources: ["arn:*:ec2:*:*:network-interface/*"] },
];

/** All node groups of a cluster, and the role of its nodes. */
export class Nodes extends pulumi.ComponentResource {
  readonly groups: readonly NodeGroup[];
  readonly role: Role;

  constructor(name: string, args: NodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Nodes"), name, {}, opts);
    const { config, clusterName, subnetIds, partition, before, running, images, clusterSecurityGroup, hardware, join } =
      args;
    const assumeRolePolicy = renderDocument(
      [{ effect: "Allow", principal: { Service: "ec2.amazonaws.com" }, actions: ["sts:AssumeRole"] }],
      TRUST_LIMIT,
    );
    const roleArgs = { name: nodeRole(config), assumeRolePolicy, ...bounded(config) };
    const role = new Role(`${name}-role`, roleArgs, { parent: this });
    this.role = role;
    const own =
      config.cniRights === "podIdentity" ? NODE_POLICIES.filter((policy) => policy !== CNI_POLICY) : NODE_POLICIES;
    const policies = own.map((policy) => {
      const policyArn = pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}`;
      return new RolePolicyAttachment(`${name}-${policy}`, { role: role.name, policyArn }, { parent: this });
    });
    if (isIpv6(config.arguments))
      new RolePolicy(`${name}-ipv6`, { role: role.name, policy: renderDocument(IPV6, POLICY_LIMIT) }, { parent: this });
    const common = {
      cluster: config.name,
      clusterName,
      join,
      version: config.version,
      tags: config.tags,
      running,
      clusterSecurityGroup,
    };
    // Nodes need the role's policies to clean up, so the policies are deleted after the nodes.
    const nodeOpts = { parent: this, dependsOn: [...policies, ...before] };
    this.groups = Object.entries(nodeGroups(config)).flatMap(([pool, nodes]) => {
      const poolArgs = {
        ...common,
        nodeRoleArn: role.arn,
        pool,
        config: nodes,
        release: images[pool],
        cards: hardware.cards[pool],
        subnetIds: subnetsOf(nodes, subnetIds, hardware.zones),
      };
      return new NodePool(`${name}/${pool}`, poolArgs, nodeOpts).groups;
    });
    this.registerOutputs({});
  }
}

/** The subnets of a pool: its own, or those of its zones. */
const subnetsOf = (
  { subnetIds, zones }: NodePoolConfig,
  all: readonly pulumi.Input<string>[],
  zonesOfAll: readonly string[],
): readonly pulumi.Input<string>[] =>
  subnetIds ?? (zones ? all.filter((_, index) => zones.includes(zonesOfAll[index] ?? "")) : all);

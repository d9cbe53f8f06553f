import type { NodeGroup } from "@pulumi/aws/eks";
import { Role, RolePolicyAttachment } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../resources/package";
import { NodePool } from "../cluster/nodePool/nodePool";
import type { RunningGroup } from "../cluster/nodePool/size";
import { renderDocument, TRUST_LIMIT } from "../cluster/serviceAccountRole/document";
import { bounded, type EksConfig } from "../cluster/onEks/eksConfig";
import { nodeRole } from "../cluster/onEks/onEks";
import { nodeGroups } from "../cluster/nodePool/pools";

interface NodesArgs {
  /** Plain, because each pool is a resource. */
  readonly config: EksConfig;
  /** Name of the cluster. */
  readonly clusterName: pulumi.Input<string>;
  /** Private subnets, one per zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: pulumi.Input<string>;
  /** Existing node groups of the stack, by resource name. */
  readonly running: Readonly<Record<string, RunningGroup>>;
  /** Image releases by pool, for pools that set `ami`. */
  readonly images: Readonly<Record<string, string>>;
  /** Security group that EKS creates for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** Dependencies of the nodes: the network add-on. */
  readonly before: readonly pulumi.Resource[];
}

/** Policy of the network add-on, attached to the node role or its own role. */
export const CNI_POLICY = "AmazonEKS_CNI_Policy";

const POLICIES = [
  "AmazonEKSWorkerNodePolicy",
  CNI_POLICY,
  "AmazonEC2ContainerRegistryPullOnly",
  // Permits shells on nodes through Systems Manager, without keys and open ports.
  "AmazonSSMManagedInstanceCore",
];

/** All node groups of a cluster, and the role of its nodes. */
export class Nodes extends pulumi.ComponentResource {
  readonly groups: readonly NodeGroup[];
  readonly role: Role;

  constructor(name: string, args: NodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Nodes"), name, {}, opts);
    const { config, clusterName, subnetIds, partition, before, running, images, clusterSecurityGroup } = args;
    const assumeRolePolicy = renderDocument(
      [{ effect: "Allow", principal: { Service: "ec2.amazonaws.com" }, actions: ["sts:AssumeRole"] }],
      TRUST_LIMIT,
    );
    const roleArgs = { name: nodeRole(config), assumeRolePolicy, ...bounded(config) };
    const role = new Role(`${name}-role`, roleArgs, { parent: this });
    this.role = role;
    const own = config.cniRights === "podIdentity" ? POLICIES.filter((policy) => policy !== CNI_POLICY) : POLICIES;
    const policies = own.map((policy) => {
      const policyArn = pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}`;
      return new RolePolicyAttachment(`${name}-${policy}`, { role: role.name, policyArn }, { parent: this });
    });
    const common = {
      cluster: config.name,
      clusterName,
      subnetIds,
      version: config.version,
      tags: config.tags,
      running,
      clusterSecurityGroup,
    };
    // Nodes need the role's policies to clean up, so the policies are deleted after the nodes.
    const nodeOpts = { parent: this, dependsOn: [...policies, ...before] };
    this.groups = Object.entries(nodeGroups(config)).flatMap(([pool, nodes]) => {
      const poolArgs = { ...common, nodeRoleArn: role.arn, pool, config: nodes, release: images[pool] };
      return new NodePool(`${name}/${pool}`, poolArgs, nodeOpts).groups;
    });
    this.registerOutputs({});
  }
}

import type { NodeGroup } from "@pulumi/aws/eks";
import { Role, RolePolicyAttachment } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../../resources/package";
import { NodePool } from "../nodePool/nodePool";
import type { RunningGroup } from "../nodePool/size";
import { renderDocument, TRUST_LIMIT } from "../serviceAccountRole/document";
import { bounded, type EksConfig } from "./eksConfig";
import { nodeRole } from "./onEks";
import { nodeGroups } from "../nodePool/pools";

export interface NodesArgs {
  /** Plain, because each pool is a resource. */
  readonly config: EksConfig;
  readonly clusterName: pulumi.Input<string>;
  /** Private subnets, one for each zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: pulumi.Input<string>;
  /** Groups that the stack has already, by the name of their resource. */
  readonly running: Readonly<Record<string, RunningGroup>>;
  /** Releases of images by pool, for those that follow one. */
  readonly images: Readonly<Record<string, string>>;
  /** The group that EKS makes for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** What must be there before a node comes: the network add-on. */
  readonly before: readonly pulumi.Resource[];
}

/** Rights of the network add-on, on the nodes' role or on one of its own. */
export const CNI_POLICY = "AmazonEKS_CNI_Policy";

const POLICIES = [
  "AmazonEKSWorkerNodePolicy",
  CNI_POLICY,
  "AmazonEC2ContainerRegistryPullOnly",
  // Lets people open a shell on a node through Systems Manager, without a key and an open port.
  "AmazonSSMManagedInstanceCore",
];

/** All node groups of a cluster and the one role that its nodes have. */
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
    // Nodes can't clean up after themselves without the role's rights, so those outlive them.
    const nodeOpts = { parent: this, dependsOn: [...policies, ...before] };
    this.groups = Object.entries(nodeGroups(config)).flatMap(([pool, nodes]) => {
      const poolArgs = { ...common, nodeRoleArn: role.arn, pool, config: nodes, release: images[pool] };
      return new NodePool(`${name}/${pool}`, poolArgs, nodeOpts).groups;
    });
    this.registerOutputs({});
  }
}

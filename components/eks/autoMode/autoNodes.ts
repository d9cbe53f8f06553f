import { AccessEntry, AccessPolicyAssociation } from "@pulumi/aws/eks";
import { Role, RolePolicyAttachment } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import { bounded, type EksConfig } from "../../cluster/onEks/eksConfig";
import { nodeRole } from "../../cluster/onEks/onEks";
import { nodePoolManifests } from "../../cluster/onEks/nodePoolManifests";
import type { KnownSource } from "../../cluster/onEks/karpenterSettings";
import { renderDocument, TRUST_LIMIT } from "../../cluster/serviceAccountRole/document";
import { AUTO_CLASS, AUTO_INGRESS, AUTO_NODE_POLICIES, autoClassManifest } from "./autoMode";

interface AutoNodesArgs {
  /** Plain, because names and the shape of the graph depend on it. */
  readonly config: EksConfig;
  /** Name of the cluster. */
  readonly clusterName: pulumi.Input<string>;
  /** Kubeconfig (YAML text); a secret. */
  readonly kubeconfig: pulumi.Input<string>;
  /** Server URL of the cluster. */
  readonly server: pulumi.Input<string>;
  /** Private subnets, one per zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** As in ARNs: `aws`, `aws-cn`, `aws-us-gov` and others. */
  readonly partition: pulumi.Input<string>;
  /** Security group that EKS creates for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** Dependencies of the objects: the control plane with its access entries. */
  readonly after: readonly pulumi.Resource[];
}

/** The nodes of EKS Auto Mode: their role, and a NodePool and NodeClass for each node pool of the config. */
export class AutoNodes extends pulumi.ComponentResource {
  readonly pools: ManifestSet;

  constructor(name: string, args: AutoNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("AutoNodes"), name, {}, opts);
    const { config, clusterName, kubeconfig, server, partition } = args;
    const parent = { parent: this };
    const assumeRolePolicy = renderDocument(
      [{ effect: "Allow", principal: { Service: "ec2.amazonaws.com" }, actions: ["sts:AssumeRole"] }],
      TRUST_LIMIT,
    );
    const roleArgs = { name: nodeRole(config), assumeRolePolicy, ...bounded(config) };
    const role = new Role(`${name}-role`, roleArgs, parent);
    const policies = AUTO_NODE_POLICIES.map((policy) => {
      const policyArn = pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}`;
      return new RolePolicyAttachment(`${name}-${policy}`, { role: role.name, policyArn }, parent);
    });
    // EKS creates access entries only for the roles of its built-in pools.
    const entry = new AccessEntry(name, { clusterName, principalArn: role.arn, type: "EC2" }, parent);
    const policyArn = pulumi.interpolate`arn:${partition}:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy`;
    const scope = { clusterName, principalArn: entry.principalArn, policyArn, accessScope: { type: "cluster" } };
    const granted = new AccessPolicyAssociation(name, scope, parent);
    const objects = pulumi
      .all([role.name, pulumi.all([...args.subnetIds]), args.clusterSecurityGroup])
      .apply(([roleName, subnetIds, securityGroupId]) =>
        objectsOf(config, { roleName, subnetIds, securityGroupId, images: {} }),
      );
    const place = { kubeconfig, cluster: server, namespace: "kube-system", timeoutSeconds: DRAIN_SECONDS };
    // Deleting a class waits until its nodes are gone, and they need the policies of their role to clean up.
    const dependsOn = [...policies, granted, ...args.after];
    this.pools = new ManifestSet(
      `${name}-pools`,
      { ...place, name: "node-pools", objects },
      { parent: this, dependsOn },
    );
    this.registerOutputs({});
  }
}

/** Timeout in seconds for draining the nodes of a deleted pool. */
const DRAIN_SECONDS = 1200;

const objectsOf = (config: EksConfig, source: KnownSource): Record<string, unknown>[] => {
  const pools = Object.entries(config.nodePools);
  return [
    ...pools.map(([pool, each]) => autoClassManifest(pool, each, source)),
    ...nodePoolManifests(config, AUTO_CLASS),
    ...AUTO_INGRESS,
  ];
};

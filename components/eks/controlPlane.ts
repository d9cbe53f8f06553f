import { LogGroup } from "@pulumi/aws/cloudwatch";
import { AccessEntry, AccessPolicyAssociation, Cluster } from "@pulumi/aws/eks";
import { OpenIdConnectProvider, Role, RolePolicy, RolePolicyAttachment } from "@pulumi/aws/iam";
import { Alias, Key } from "@pulumi/aws/kms";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc";
import * as pulumi from "@pulumi/pulumi";
import type { StateResources } from "../resources/ownState";
import { component } from "../resources/package";
import { AUTO_CLUSTER_POLICIES, AUTO_MODE } from "./autoMode/autoMode";
import { POLICY_LIMIT, renderDocument, TRUST_LIMIT } from "../cluster/serviceAccountRole/document";
import { bounded, type EksConfig } from "../cluster/onEks/eksConfig";
import { controlPlaneRole } from "../cluster/onEks/onEks";
import { createDiskGrants, diskKeys, volumeKeys } from "../cluster/serviceAccountRole/diskGrants";
import { formerEntry } from "../cluster/onEks/accessEntry";
import { associationKey, formerAssociation, plannedEntries } from "./accessEntries";

/** What the platform uses of a cluster. */
export type MadeCluster = Pick<
  Cluster,
  "name" | "arn" | "endpoint" | "certificateAuthority" | "identities" | "vpcConfig"
>;

interface ClusterParts extends Pick<ControlPlaneArgs, "config" | "subnetIds" | "vpcId"> {
  readonly role: Role;
  readonly keyArn: pulumi.Input<string>;
}

/** Another way to create the cluster than by its raw resource. */
export type MakeCluster = (name: string, parts: ClusterParts, opts: pulumi.CustomResourceOptions) => MadeCluster;

interface ControlPlaneArgs {
  /** Plain, because names and the shape of the graph depend on it. */
  readonly config: EksConfig;
  /** Private subnets in at least two zones. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** Looks the VPC of the subnets up. */
  readonly vpcId: () => pulumi.Input<string>;
  /** Default: by the raw resource. */
  readonly make?: MakeCluster | undefined;
  /** As in ARNs: `aws`, `aws-cn`, `aws-us-gov` and others. */
  readonly partition: pulumi.Input<string>;
  /** The stack's resources before this run, whose names of access entries are kept. Default: none. */
  readonly state?: StateResources;
}

/** The control plane of an EKS cluster and what it requires: role, key, log group, OIDC provider, access entries. */
export class ControlPlane extends pulumi.ComponentResource {
  readonly cluster: MadeCluster;
  readonly oidcProvider: OpenIdConnectProvider;

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ControlPlane"), name, {}, opts);
    const { config } = args;
    const keyArn = config.kmsKey ?? this.createKey(name, config);
    const { role, policies } = this.createRole(name, args, keyArn);
    // EKS Auto Mode launches nodes and creates volumes with the role of the cluster.
    const keys = config.nodes === "auto" ? [...diskKeys(config.nodePools), ...volumeKeys(config)] : [];
    createDiskGrants(`${name}-disk-key`, [...new Set(keys)], role.arn, this);
    // EKS would create it otherwise, with unlimited retention.
    const logs = new LogGroup(
      `${name}-logs`,
      { name: `/aws/eks/${config.name}/cluster`, retentionInDays: config.logRetentionDays },
      { parent: this },
    );
    const make = args.make ?? createCluster;
    const clusterOpts = { parent: this, dependsOn: [logs, ...policies], protect: config.deletionProtection };
    this.cluster = make(name, { ...args, role, keyArn }, clusterOpts);
    const url = this.cluster.identities.apply((all) => all[0]?.oidcs?.[0]?.issuer ?? "");
    // The audience is the same in all partitions.
    const audience = { url, clientIdLists: ["sts.amazonaws.com"] };
    this.oidcProvider = new OpenIdConnectProvider(`${name}-oidc`, audience, { parent: this });
    this.createAccessEntries(name, args);
    this.admit(name, config.endpoint);
    this.registerOutputs({ name: this.cluster.name, oidcProviderArn: this.oidcProvider.arn });
  }

  /** Admits connected networks and security groups to the private endpoint, whose security group is that of EKS. */
  private admit(name: string, { privateCidrs, privateSecurityGroupIds }: EksConfig["endpoint"]): void {
    const to = {
      securityGroupId: this.cluster.vpcConfig.clusterSecurityGroupId,
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
    };
    const sources = [
      ...privateCidrs.map((cidrIpv4) => [cidrIpv4, { cidrIpv4 }] as const),
      ...privateSecurityGroupIds.map((id) => [id, { referencedSecurityGroupId: id }] as const),
    ];
    for (const [key, source] of sources)
      new SecurityGroupIngressRule(`${name}-from/${key}`, { ...to, ...source }, { parent: this });
  }

  private createKey(name: string, config: EksConfig): pulumi.Output<string> {
    const opts = { parent: this, protect: config.deletionProtection };
    const description = `Secrets of the EKS cluster ${config.name}`;
    const key = new Key(`${name}-secrets`, { description, enableKeyRotation: true }, opts);
    new Alias(`${name}-secrets`, { name: `alias/eks/${config.name}`, targetKeyId: key.id }, { parent: this });
    return key.arn;
  }

  private createRole(name: string, { config, partition }: ControlPlaneArgs, keyArn: pulumi.Input<string>) {
    const isAuto = config.nodes === "auto";
    // The policies of Auto Mode require the cluster's name as a session tag, which EKS adds.
    const tagging = isAuto ? ["sts:TagSession"] : [];
    const assumeRolePolicy = renderDocument(
      [{ effect: "Allow", principal: { Service: "eks.amazonaws.com" }, actions: ["sts:AssumeRole", ...tagging] }],
      TRUST_LIMIT,
    );
    const role = new Role(
      `${name}-role`,
      { name: controlPlaneRole(config), assumeRolePolicy, ...bounded(config) },
      { parent: this },
    );
    const attach = (suffix: string, policy: string) => {
      const policyArn = pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}`;
      return new RolePolicyAttachment(`${name}-${suffix}`, { role: role.name, policyArn }, { parent: this });
    };
    const actions = ["kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"];
    const policy = pulumi
      .output(keyArn)
      .apply((key) => renderDocument([{ effect: "Allow", actions, resources: [key] }], POLICY_LIMIT));
    const policies = [
      attach("cluster", "AmazonEKSClusterPolicy"),
      ...(isAuto ? AUTO_CLUSTER_POLICIES.map((each) => attach(each, each)) : []),
      new RolePolicy(`${name}-key`, { role: role.name, policy }, { parent: this }),
    ];
    return { role, policies };
  }

  /** Creates the access entries, by the names that the config gives to principals. */
  private createAccessEntries(name: string, { config, partition, state = {} }: ControlPlaneArgs): void {
    const clusterName = this.cluster.name;
    const entries = plannedEntries(config.access);
    const names = new Set(
      entries.flatMap((entry) => [entry.key, ...entry.policies.map((each) => associationKey(entry, each))]),
    );
    const optsOf = (before: string | undefined) => {
      const isMoved = before !== undefined && !names.has((before.split("::").at(-1) ?? "").slice(name.length + 1));
      return { parent: this, ...(isMoved && { aliases: [before] }) };
    };
    for (const entry of entries) {
      const { key, principal, groups, policies } = entry;
      const made = new AccessEntry(
        `${name}-${key}`,
        { clusterName, principalArn: principal, ...(groups.length > 0 && { kubernetesGroups: [...groups] }) },
        optsOf(formerEntry(state, principal)),
      );
      for (const granted of policies) {
        const { policy, namespaces } = granted;
        const accessScope = namespaces ? { type: "namespace", namespaces: [...namespaces] } : { type: "cluster" };
        const policyArn = pulumi.interpolate`arn:${partition}:eks::aws:cluster-access-policy/${policy}`;
        new AccessPolicyAssociation(
          `${name}-${associationKey(entry, granted)}`,
          { clusterName, principalArn: made.principalArn, policyArn, accessScope },
          // For another scope, the old association is deleted first: EKS has one for a policy of a principal, and would
          // delete the new one.
          { ...optsOf(formerAssociation(state, principal, policy)), deleteBeforeReplace: true },
        );
      }
    }
  }
}

/** Creates the cluster by its raw resource, because the one of @pulumi/eks always makes its creator an administrator. */
const createCluster: MakeCluster = (name, { config, subnetIds, role, keyArn }, opts) => {
  const { publicCidrs, securityGroupIds } = config.endpoint;
  const { zonalShift, controlPlaneTier: tier } = config;
  const isAuto = config.nodes === "auto";
  return new Cluster(
    name,
    {
      name: config.name,
      roleArn: role.arn,
      version: config.version,
      ...(config.forceUpdate && { forceUpdateVersion: true }),
      vpcConfig: {
        subnetIds: [...subnetIds],
        endpointPrivateAccess: config.endpoint.private,
        endpointPublicAccess: publicCidrs.length > 0,
        ...(publicCidrs.length > 0 ? { publicAccessCidrs: [...publicCidrs] } : {}),
        ...(securityGroupIds.length > 0 ? { securityGroupIds: [...securityGroupIds] } : {}),
      },
      kubernetesNetworkConfig: {
        serviceIpv4Cidr: config.network.serviceCidr,
        ...(isAuto ? { elasticLoadBalancing: AUTO_MODE.elasticLoadBalancing } : {}),
      },
      ...(isAuto ? { computeConfig: AUTO_MODE.computeConfig, storageConfig: AUTO_MODE.storageConfig } : {}),
      accessConfig: {
        authenticationMode: config.access.authenticationMode,
        bootstrapClusterCreatorAdminPermissions: config.access.creatorIsAdmin,
      },
      encryptionConfig: { provider: { keyArn }, resources: ["secrets"] },
      enabledClusterLogTypes: [...config.logs],
      // Sent also to disable it: EKS keeps what a request does not name.
      ...(zonalShift === undefined ? {} : { zonalShiftConfig: { enabled: zonalShift } }),
      ...(tier === undefined ? {} : { controlPlaneScalingConfig: { tier } }),
      upgradePolicy: { supportType: config.supportType === "extended" ? "EXTENDED" : "STANDARD" },
      bootstrapSelfManagedAddons: false,
      deletionProtection: config.deletionProtection,
    },
    {
      ...opts,
      // Used only on creation; a later change would replace the cluster.
      ignoreChanges: ["accessConfig.bootstrapClusterCreatorAdminPermissions", "bootstrapSelfManagedAddons"],
    },
  );
};

import { Tag } from "@pulumi/aws/ec2";
import { getPartitionOutput } from "@pulumi/aws/getPartition";
import { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import type { RunningGroup } from "../nodePool/size";
import { AutoNodes } from "../autoMode/autoNodes";
import type { NodeSource } from "../karpenter/settings";
import { subnetTags } from "../network/plan";
import { Vpc } from "../network/vpc";
import { roleName } from "../serviceAccountRole/plan";
import { ServiceAccountRole, type RoleCluster } from "../serviceAccountRole/serviceAccountRole";
import { ControlPlane } from "./controlPlane";
import type { EksConfig } from "./eksConfig";
import { kubeconfigOf } from "./kubeconfig";
import { makeAddons } from "./makeAddons";
import { CNI_POLICY, Nodes } from "./nodes";
import { rolePrefix } from "./onEks";
import { storageClass } from "./storageClass";

export interface EksClusterArgs {
  /** Plain, because names and the shape of the graph depend on it. */
  readonly config: EksConfig;
  /** Node groups that the stack has already, by the name of their resource. Default: none. */
  readonly running?: Readonly<Record<string, RunningGroup>>;
  /** Versions that are known already. Default: none; add-ons get the usual ones, nodes what EKS gives them. */
  readonly versions?: KnownVersions;
  /** Default: one is made, by `awsProvider`. */
  readonly aws?: Provider;
}

/** Versions by add-on, and releases of images by node pool. */
export interface KnownVersions {
  readonly addons: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
}

/** The provider of everything that is made on AWS. */
export const awsProvider = (
  name: string,
  { region, tags }: Pick<EksConfig, "region" | "tags">,
  opts?: pulumi.ComponentResourceOptions,
): Provider => new Provider(`${name}-aws`, { region, defaultTags: { tags } }, opts);

/** An EKS cluster that workloads can be put on: network, control plane, add-ons, node pools, a default storage class. */
export class EksCluster extends pulumi.ComponentResource {
  /** Known once nodes and add-ons are there: whatever uses it comes after them, and goes before them. */
  readonly kubeconfig: pulumi.Output<string>;
  readonly server: pulumi.Output<string>;
  /** What a `ServiceAccountRole` needs of it. */
  readonly identity: RoleCluster;
  /** What Karpenter creates nodes from; undefined if nodes come in another way. */
  readonly nodeSource: NodeSource | undefined;

  constructor(name: string, args: EksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const { config, running = {}, aws = awsProvider(name, config, opts) } = args;
    const { versions = { addons: config.addonVersions, images: {} } } = args;
    super(component("EksCluster"), name, {}, pulumi.mergeOptions(opts, { providers: { aws } }));
    const parent = { parent: this };
    const { partition } = getPartitionOutput({}, parent);
    const subnetIds = this.subnets(name, config);
    const controlPlane = new ControlPlane(`${name}-control-plane`, { config, subnetIds, partition }, parent);
    const { cluster, oidcProvider } = controlPlane;
    this.identity = {
      name: cluster.name,
      arn: cluster.arn,
      oidcProviderArn: oidcProvider.arn,
      oidcProviderUrl: oidcProvider.url,
      vpcId: cluster.vpcConfig.vpcId,
      permissionsBoundary: config.roles.permissionsBoundary,
      aws,
    };
    this.server = cluster.endpoint;
    const kubeconfig = (after: readonly pulumi.Resource[]) => reach(config, cluster, after);
    const clusterSecurityGroup = cluster.vpcConfig.clusterSecurityGroupId;
    const common = { config, clusterName: cluster.name, subnetIds, partition, clusterSecurityGroup };
    const addons = { clusterName: cluster.name, config, versions: versions.addons };
    const standing: pulumi.Resource[] = [];
    if (config.nodes === "auto") {
      const autoArgs = { ...common, kubeconfig: kubeconfig([]), server: cluster.endpoint, after: [controlPlane] };
      standing.push(new AutoNodes(`${name}-nodes`, autoArgs, parent).pools);
      standing.push(...makeAddons(name, { ...addons, when: "afterNodes", after: standing }, this));
    } else {
      const { images } = versions;
      const network = config.cniRights === "podIdentity" ? [this.networkRole(name, config, partition)] : [];
      const before = makeAddons(name, { ...addons, when: "beforeNodes", after: network }, this);
      const { groups, role } = new Nodes(`${name}-nodes`, { ...common, before, running, images }, parent);
      const driverRole = this.driverRole(name, config, partition);
      const late = makeAddons(name, { ...addons, when: "afterNodes", after: groups, driverRole }, this);
      standing.push(...groups, ...late);
      if (config.nodes === "karpenter")
        this.nodeSource = { role, subnetIds, securityGroupId: clusterSecurityGroup, images };
    }
    this.kubeconfig = kubeconfig(standing);
    const place = { kubeconfig: this.kubeconfig, cluster: this.server, namespace: "kube-system" };
    new ManifestSet(
      `${name}-storage`,
      { ...place, name: "storage-class", objects: [storageClass(config.nodes)] },
      parent,
    );
    this.registerOutputs({ server: this.server });
  }

  private subnets(name: string, { network, name: cluster }: EksConfig): pulumi.Input<string>[] {
    if (network.existing) {
      const { privateSubnetIds, publicSubnetIds } = network.existing;
      for (const id of publicSubnetIds) {
        for (const [key, value] of Object.entries(subnetTags("public", cluster))) {
          // An existing subnet has another owner; its other tags are not changed.
          new Tag(`${name}-${id}/${key}`, { resourceId: id, key, value }, { parent: this });
        }
      }
      return [...privateSubnetIds];
    }
    if (network.make) return new Vpc(`${name}-vpc`, { cluster, ...network.make }, { parent: this }).privateSubnetIds;
    throw new pulumi.InputPropertyError({ propertyPath: "config.network", reason: "neither existing nor make" });
  }

  /** The role by which the EBS driver makes volumes; undefined with Pod Identity, where the add-on need not know it. */
  private driverRole(
    name: string,
    config: EksConfig,
    partition: pulumi.Input<string>,
  ): pulumi.Output<string> | undefined {
    const policy = pulumi.interpolate`arn:${partition}:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy`;
    const { roleArn } = new ServiceAccountRole(
      `${name}-ebs`,
      {
        cluster: this.identity,
        roleName: roleName(rolePrefix(config), "ebs-csi"),
        identity: config.identity,
        subjects: { "kube-system": ["ebs-csi-controller-sa"] },
        serviceAccounts: "none",
        managedPolicies: { driver: policy },
      },
      { parent: this },
    );
    return config.identity === "irsa" ? roleArn : undefined;
  }

  /** The role by which the network add-on gives addresses to pods, where the nodes have no right to. */
  private networkRole(name: string, config: EksConfig, partition: pulumi.Input<string>): ServiceAccountRole {
    return new ServiceAccountRole(
      `${name}-cni`,
      {
        cluster: this.identity,
        roleName: roleName(rolePrefix(config), "vpc-cni"),
        identity: "podIdentity",
        subjects: { "kube-system": ["aws-node"] },
        serviceAccounts: "none",
        managedPolicies: { network: pulumi.interpolate`arn:${partition}:iam::aws:policy/${CNI_POLICY}` },
      },
      { parent: this },
    );
  }
}

/** The kubeconfig, once these are there. */
function reach(
  { region }: EksConfig,
  { name, endpoint, certificateAuthority }: ControlPlane["cluster"],
  after: readonly pulumi.Resource[],
): pulumi.Output<string> {
  const authority = certificateAuthority.apply(({ data = "" }) => data);
  // Their URNs, which a preview knows: with what it does not know, all on the cluster would look replaced for one more pool.
  const all = pulumi.all([name, endpoint, authority, ...after.map(({ urn }) => urn)]);
  return pulumi.secret(
    all.apply(([cluster = "", server = "", ca = ""]) => kubeconfigOf({ name: cluster, region, server, authority: ca })),
  );
}

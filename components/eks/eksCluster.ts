import { getSubnetOutput, Tag } from "@pulumi/aws/ec2";
import { getPartitionOutput } from "@pulumi/aws/getPartition";
import { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../resources/manifestSet";
import type { StateResources } from "../resources/ownState";
import { component } from "../resources/package";
import type { JoinedCluster } from "../cluster/nodePool/bootstrap";
import { EBS_DRIVER } from "../cluster/serviceAccountRole/addonRoles";
import { createPlacementGroup } from "../cluster/nodePool/nodePool";
import { createDiskGrants, diskKeys, launcherArn, volumeKeys } from "../cluster/serviceAccountRole/diskGrants";
import { claimedPools, nodeGroups } from "../cluster/nodePool/pools";
import type { RunningGroup } from "../cluster/nodePool/size";
import type { PoolHardware } from "./preflight/hardware";
import { AutoNodes } from "./autoMode/autoNodes";
import type { NodeSource } from "../cluster/onEks/karpenterSettings";
import { subnetTags } from "./network/plan";
import { Vpc } from "./network/vpc";
import type { RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";
import { ControlPlane, type MakeCluster } from "./controlPlane";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { kubeconfigOf } from "./kubeconfig";
import { createAddonRoles, createAddons } from "./createAddons";
import { Nodes } from "./nodes";
import { storageClasses } from "./storageClass";

interface EksClusterArgs {
  /** Plain, because names and the shape of the graph depend on it. */
  readonly config: EksConfig;
  /** Existing node groups of the stack, by resource name. Default: none. */
  readonly running?: Readonly<Record<string, RunningGroup>>;
  /** Known versions. Default: none; add-ons get their default version, and EKS chooses the images of nodes. */
  readonly versions?: KnownVersions;
  /** The stack's resources before this run. Default: none. */
  readonly state?: StateResources;
  /** What AWS says of node pools that choose zones or devices. Default: none does. */
  readonly hardware?: PoolHardware;
  /** AWS provider. Default: one is created by `awsProvider`. */
  readonly aws?: Provider;
  /** How the cluster is created. Default: by the raw resource. */
  readonly make?: MakeCluster | undefined;
}

/** Versions by add-on, and image releases by node pool. */
export interface KnownVersions {
  readonly addons: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
}

/** Ids of the network of a cluster. */
export interface ClusterNetwork {
  readonly vpcId: string;
  readonly privateSubnetIds: readonly string[];
  /** The group that EKS creates for the control plane and all nodes. */
  readonly securityGroupId: string;
}

/** The provider of all AWS resources of a cluster. */
export const awsProvider = (
  name: string,
  { region, tags }: Pick<EksConfig, "region" | "tags">,
  opts?: pulumi.ComponentResourceOptions,
): Provider => new Provider(`${name}-aws`, { region, defaultTags: { tags } }, opts);

/**
 * An EKS cluster that is ready for workloads: network, control plane, add-ons, node pools and a default storage class.
 */
export class EksCluster extends pulumi.ComponentResource {
  /** Resolves when nodes and add-ons exist, so that everything that uses it is created later and deleted earlier. */
  readonly kubeconfig: pulumi.Output<string>;
  readonly server: pulumi.Output<string>;
  /** What a `ServiceAccountRole` needs to know about the cluster. */
  readonly identity: RoleCluster;
  /** Where it is, for what connects to it. */
  readonly network: pulumi.Output<ClusterNetwork>;
  /** What Karpenter needs to create nodes; undefined without Karpenter. */
  readonly nodeSource: NodeSource | undefined;

  constructor(name: string, args: EksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const { config, running = {}, state = {}, aws = awsProvider(name, config, opts) } = args;
    const { hardware = { zones: [], cards: {} } } = args;
    const { versions = { addons: config.addonVersions, images: {} } } = args;
    super(component("EksCluster"), name, {}, pulumi.mergeOptions(opts, { providers: { aws } }));
    const parent = { parent: this };
    const { partition } = getPartitionOutput({}, parent);
    const { subnetIds, vpcId } = this.subnets(name, config);
    const controlPlaneArgs = { config, subnetIds, vpcId, partition, state, make: args.make };
    const controlPlane = new ControlPlane(`${name}-control-plane`, controlPlaneArgs, parent);
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
    this.network = pulumi.output({
      vpcId: cluster.vpcConfig.vpcId,
      privateSubnetIds: subnetIds,
      securityGroupId: cluster.vpcConfig.clusterSecurityGroupId,
    });
    const kubeconfig = (after: readonly pulumi.Resource[]) => reach(config, cluster, after);
    const clusterSecurityGroup = cluster.vpcConfig.clusterSecurityGroupId;
    const common = { config, clusterName: cluster.name, subnetIds, partition, clusterSecurityGroup };
    const roles = createAddonRoles(name, { cluster: this.identity, config, partition }, this);
    const addons = { clusterName: cluster.name, config, versions: versions.addons, roles };
    const standing: pulumi.Resource[] = [];
    const driver = roles[EBS_DRIVER];
    const grants = driver ? createDiskGrants(`${name}-volume-key`, volumeKeys(config), driver.roleArn, this) : [];
    if (config.nodes === "auto") {
      const autoArgs = { ...common, kubeconfig: kubeconfig([]), server: cluster.endpoint, after: [controlPlane] };
      standing.push(new AutoNodes(`${name}-nodes`, autoArgs, parent).pools);
      standing.push(...createAddons(name, { ...addons, when: "afterNodes", after: standing }, this));
    } else {
      const { images } = versions;
      const keys = diskKeys(nodeGroups(config));
      const before = [
        ...createAddons(name, { ...addons, when: "beforeNodes", after: [] }, this),
        ...createDiskGrants(`${name}-disk-key`, keys, launcherArn(cluster.arn, "autoscaling"), this),
      ];
      const { groups, role } = new Nodes(
        `${name}-nodes`,
        { ...common, before, running, images, hardware, join: joinOf(config, cluster) },
        parent,
      );
      const late = createAddons(name, { ...addons, when: "afterNodes", after: groups }, this);
      standing.push(...groups, ...late);
      if (config.nodes === "karpenter")
        this.nodeSource = {
          role,
          subnetIds,
          securityGroupId: clusterSecurityGroup,
          images,
          placementGroups: this.placementGroups(name, config),
        };
    }
    this.kubeconfig = kubeconfig(standing);
    const place = { kubeconfig: this.kubeconfig, cluster: this.server, namespace: "kube-system" };
    const objects = storageClasses(config, { subnetId: subnetIds[0]!, securityGroupId: clusterSecurityGroup });
    new ManifestSet(
      `${name}-storage`,
      { ...place, name: "storage-class", objects },
      { parent: this, dependsOn: grants },
    );
    this.registerOutputs({ server: this.server });
  }

  /** The placement groups of Karpenter's pools, by pool. Those of node groups are part of them. */
  private placementGroups(name: string, config: EksConfig): Record<string, pulumi.Output<string>> {
    return Object.fromEntries(
      Object.entries(claimedPools(config)).flatMap(([pool, each]) => {
        const group = createPlacementGroup(`${name}-nodes/${pool}`, each, this);
        return group ? [[pool, group.name]] : [];
      }),
    );
  }

  private subnets(name: string, { network, name: cluster }: EksConfig): Subnets {
    if (network.existing) {
      const { privateSubnetIds, publicSubnetIds } = network.existing;
      for (const id of publicSubnetIds) {
        for (const [key, value] of Object.entries(subnetTags("public", cluster))) {
          // Adds tags one by one, because an existing subnet has another owner and may have other tags.
          // The role of a subnet serves all clusters in it, so it stays when this one goes.
          const retainOnDelete = key.startsWith("kubernetes.io/role/");
          new Tag(`${name}-${id}/${key}`, { resourceId: id, key, value }, { parent: this, retainOnDelete });
        }
      }
      const vpcId = () => getSubnetOutput({ id: privateSubnetIds[0]! }, { parent: this }).vpcId;
      return { subnetIds: [...privateSubnetIds], vpcId };
    }
    if (network.make) {
      const made = new Vpc(`${name}-vpc`, { cluster, ...network.make }, { parent: this });
      return { subnetIds: made.privateSubnetIds, vpcId: () => made.vpcId };
    }
    throw new pulumi.InputPropertyError({ propertyPath: "config.network", reason: "neither existing nor make" });
  }
}

interface Subnets {
  readonly subnetIds: pulumi.Input<string>[];
  /** Looked up only where it is needed. */
  readonly vpcId: () => pulumi.Output<string>;
}

/** What nodes of an own image need to join the cluster. */
const joinOf = (
  { network: { serviceCidr } }: EksConfig,
  { name, endpoint, certificateAuthority }: ControlPlane["cluster"],
): pulumi.Output<JoinedCluster> =>
  pulumi
    .all([name, endpoint, certificateAuthority])
    .apply(([cluster, server, { data = "" }]) => ({ name: cluster, endpoint: server, authority: data, serviceCidr }));

/** The kubeconfig, which resolves after the resources in `after`. */
function reach(
  { region }: EksConfig,
  { name, endpoint, certificateAuthority }: ControlPlane["cluster"],
  after: readonly pulumi.Resource[],
): pulumi.Output<string> {
  const authority = certificateAuthority.apply(({ data = "" }) => data);
  // Depends on URNs, which are known in a preview. With an unknown value, a new pool would appear to replace everything
  // on the cluster.
  const all = pulumi.all([name, endpoint, authority, ...after.map(({ urn }) => urn)]);
  return pulumi.secret(
    all.apply(([cluster = "", server = "", ca = ""]) => kubeconfigOf({ name: cluster, region, server, authority: ca })),
  );
}

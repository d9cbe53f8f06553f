import { Tag } from "@pulumi/aws/autoscaling";
import { LaunchTemplate, PlacementGroup } from "@pulumi/aws/ec2";
import { getNodeGroupOutput, NodeGroup } from "@pulumi/aws/eks";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../../resources/package";
import { bootstrapData, type JoinedCluster } from "./bootstrap";
import { adapters, capacityType, reservationOf, type NetworkCards } from "./launch";
import {
  SYSTEM_DEVICE,
  amiType,
  autoscalingTags,
  awsTaint,
  dataDevice,
  groupPrefix,
  nodeLabels,
  type NodePoolConfig,
} from "./plan";
import { boundsChange, withinBounds, type RunningGroup } from "./size";

interface NodePoolArgs {
  /** Name of the cluster. Plain, because the names of tags depend on it. */
  readonly cluster: string;
  /** Name of the created cluster, as an output. */
  readonly clusterName: pulumi.Input<string>;
  /** Name of the pool. */
  readonly pool: string;
  /** Config of its nodes. Plain, because groups and tags are resources. */
  readonly config: NodePoolConfig;
  /** Private subnets of the pool, one per zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** What nodes of an own image need to join. */
  readonly join: pulumi.Input<JoinedCluster>;
  /** Network cards of the instance type, for adapters. */
  readonly cards?: NetworkCards;
  /** ARN of the nodes' role. */
  readonly nodeRoleArn: pulumi.Input<string>;
  /** Kubernetes minor version of the cluster, such as 1.35. */
  readonly version: string;
  /** Release of the node image. Default: EKS chooses one. */
  readonly release?: string;
  /** Existing node groups of the stack, by resource name. */
  readonly running: Readonly<Record<string, RunningGroup>>;
  /** Security group that EKS creates for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** Tags of instances and disks, which do not inherit the provider's tags. */
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * A node pool: a managed node group, or one per zone. Uses the raw resource, because ManagedNodeGroup of @pulumi/eks
 * 4.3 supports neither an update policy nor node repair; see docs/decisions/0023.
 */
export class NodePool extends pulumi.ComponentResource {
  readonly groups: readonly NodeGroup[];

  constructor(name: string, args: NodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("NodePool"), name, {}, opts);
    const template = this.createTemplate(name, args);
    const { perZone } = args.config;
    this.groups = perZone
      ? args.subnetIds.map((subnet, zone) => this.createGroup(`${name}/${zone}`, args, template, [subnet], zone))
      : [this.createGroup(name, args, template, [...args.subnetIds], undefined)];
    this.registerOutputs({});
  }

  private createTemplate(
    name: string,
    { cluster, pool, config, tags, clusterSecurityGroup, join, cards }: NodePoolArgs,
  ): LaunchTemplate {
    const disk = {
      volumeType: "gp3",
      encrypted: "true",
      kmsKeyId: config.diskKey,
      deleteOnTermination: "true",
    };
    const instanceTags = { ...tags, Name: `${cluster}-${pool}` };
    const groups = [clusterSecurityGroup, ...config.securityGroupIds];
    const group = createPlacementGroup(name, config, this);
    const userData =
      config.amiId === undefined
        ? bootstrapData(pool, config)
        : pulumi.output(join).apply((known) => bootstrapData(pool, config, known) ?? "");
    return new LaunchTemplate(
      name,
      {
        namePrefix: groupPrefix(cluster, pool, undefined),
        // A hop limit of 1 prevents pods from obtaining the node's credentials.
        metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
        blockDeviceMappings: [
          ...(config.os === "bottlerocket" ? [{ deviceName: SYSTEM_DEVICE, ebs: disk }] : []),
          { deviceName: dataDevice(config.os), ebs: { volumeSize: config.diskGb, ...disk } },
        ],
        ...(config.amiId === undefined ? {} : { imageId: config.amiId }),
        ...reservationOf(config),
        ...(group && { placement: { groupName: group.name } }),
        ...securityOf(groups, config, cards),
        ...(userData === undefined ? {} : { userData: pulumi.output(userData).apply(base64) }),
        tagSpecifications: ["instance", "volume"].map((resourceType) => ({ resourceType, tags: instanceTags })),
      },
      { parent: this },
    );
  }

  private createGroup(
    name: string,
    args: NodePoolArgs,
    template: LaunchTemplate,
    subnetIds: pulumi.Input<string>[],
    zone: number | undefined,
  ): NodeGroup {
    const { cluster, config, pool } = args;
    const running = args.running[name];
    const resized = boundsChange(running, config);
    const group = new NodeGroup(
      name,
      {
        clusterName: args.clusterName,
        nodeGroupNamePrefix: groupPrefix(cluster, pool, zone),
        nodeRoleArn: args.nodeRoleArn,
        subnetIds,
        // The launch template has the type of a Capacity Block, and with an own image what follows from the image.
        ...(config.capacity === "capacityBlock" ? {} : { instanceTypes: [...config.instanceTypes] }),
        capacityType: capacityType(config),
        ...(config.amiId === undefined && {
          amiType: amiType(config),
          version: config.version ?? args.version,
          ...(args.release === undefined ? {} : { releaseVersion: args.release }),
        }),
        // The number instead of "$Latest", because only a new number rolls the group.
        launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
        scalingConfig: {
          minSize: config.min,
          maxSize: config.max,
          desiredSize: running && resized ? this.currentSize(running, config) : config.desired,
        },
        ...(config.forceUpdate ? { forceUpdateVersion: true } : {}),
        updateConfig: { maxUnavailablePercentage: config.maxUnavailablePercent },
        nodeRepairConfig: { enabled: true },
        labels: nodeLabels(pool, config),
        taints: config.taints.map(awsTaint),
      },
      // The autoscaler owns the size once the group exists. With ignoreChanges, the engine sends the size of the last
      // update, so an update that sends new bounds sends the current size instead.
      { parent: this, ignoreChanges: resized ? [] : ["scalingConfig.desiredSize"] },
    );
    const autoScalingGroup = group.resources.apply((all) => all[0]?.autoscalingGroups?.[0]?.name ?? "");
    for (const [key, value] of Object.entries(autoscalingTags(cluster, pool, config))) {
      // The Auto Scaling group, whose tags the autoscaler reads, does not inherit tags of the node group.
      const tag = { key, value, propagateAtLaunch: false };
      new Tag(
        `${name}/${key.replace(/^k8s\.io\/cluster-autoscaler\//, "")}`,
        { autoscalingGroupName: autoScalingGroup, tag },
        {
          parent: group,
          deletedWith: group,
        },
      );
    }
    return group;
  }

  private currentSize({ clusterName, nodeGroupName }: RunningGroup, config: NodePoolConfig): pulumi.Output<number> {
    const { scalingConfigs } = getNodeGroupOutput({ clusterName, nodeGroupName }, { parent: this });
    return scalingConfigs.apply((all) => withinBounds(all[0]?.desiredSize ?? config.desired, config));
  }
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** If security groups are set, EKS does not add its own; network interfaces have groups of their own. */
function securityOf(groups: pulumi.Input<string>[], { efa }: NodePoolConfig, cards: NetworkCards | undefined) {
  if (efa && cards)
    return {
      networkInterfaces: adapters(cards).map((each) => ({
        ...each,
        deleteOnTermination: "true",
        securityGroups: groups,
      })),
    };
  return groups.length === 1 ? {} : { vpcSecurityGroupIds: groups };
}

/** The placement group of a pool, if it has one. */
export const createPlacementGroup = (
  name: string,
  { placement }: NodePoolConfig,
  parent: pulumi.Resource,
): PlacementGroup | undefined => placement && new PlacementGroup(name, { strategy: placement }, { parent });

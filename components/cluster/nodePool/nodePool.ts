import { Tag } from "@pulumi/aws/autoscaling";
import { LaunchTemplate } from "@pulumi/aws/ec2";
import { getNodeGroupOutput, NodeGroup } from "@pulumi/aws/eks";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../../resources/package";
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

export interface NodePoolArgs {
  /** Name of the cluster. Plain, because tags' names depend on it. */
  readonly cluster: string;
  /** The same, once the cluster is there. */
  readonly clusterName: pulumi.Input<string>;
  /** Name of the pool. */
  readonly pool: string;
  /** What its nodes are like. Plain, because groups and tags are resources. */
  readonly config: NodePoolConfig;
  /** Private subnets, one for each zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  readonly nodeRoleArn: pulumi.Input<string>;
  /** Kubernetes minor of the cluster, such as 1.35. */
  readonly version: string;
  /** Release of the image. Default: EKS chooses one. */
  readonly release?: string;
  /** Groups that the stack has already, by the name of their resource. */
  readonly running: Readonly<Record<string, RunningGroup>>;
  /** The group that EKS makes for the control plane and all nodes. */
  readonly clusterSecurityGroup: pulumi.Input<string>;
  /** Tags of the instances and their disks, which tags of a provider do not reach. */
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * Nodes of one kind: a managed node group, or one in each zone. The raw resource, because ManagedNodeGroup of @pulumi/eks 4.3 takes
 * neither an update policy nor node repair; see docs/decisions/0023.
 */
export class NodePool extends pulumi.ComponentResource {
  readonly groups: readonly NodeGroup[];

  constructor(name: string, args: NodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("NodePool"), name, {}, opts);
    const template = this.makeTemplate(name, args);
    const { perZone } = args.config;
    this.groups = perZone
      ? args.subnetIds.map((subnet, zone) => this.makeGroup(`${name}/${zone}`, args, template, [subnet], zone))
      : [this.makeGroup(name, args, template, [...args.subnetIds], undefined)];
    this.registerOutputs({});
  }

  private makeTemplate(
    name: string,
    { cluster, pool, config, tags, clusterSecurityGroup }: NodePoolArgs,
  ): LaunchTemplate {
    const disk = {
      volumeType: "gp3",
      encrypted: "true",
      kmsKeyId: config.diskKey,
      deleteOnTermination: "true",
    };
    const instanceTags = { ...tags, Name: `${cluster}-${pool}` };
    return new LaunchTemplate(
      name,
      {
        namePrefix: groupPrefix(cluster, pool, undefined),
        // A hop limit of 1 keeps pods from taking the node's own credentials.
        metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
        blockDeviceMappings: [
          ...(config.os === "bottlerocket" ? [{ deviceName: SYSTEM_DEVICE, ebs: disk }] : []),
          { deviceName: dataDevice(config.os), ebs: { volumeSize: config.diskGb, ...disk } },
        ],
        // With groups of one's own, EKS leaves its own out.
        ...(config.securityGroupIds.length === 0
          ? {}
          : { vpcSecurityGroupIds: [clusterSecurityGroup, ...config.securityGroupIds] }),
        ...(config.userData === undefined ? {} : { userData: Buffer.from(config.userData).toString("base64") }),
        tagSpecifications: ["instance", "volume"].map((resourceType) => ({ resourceType, tags: instanceTags })),
      },
      { parent: this },
    );
  }

  private makeGroup(
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
        instanceTypes: [...config.instanceTypes],
        capacityType: config.capacity === "spot" ? "SPOT" : "ON_DEMAND",
        amiType: amiType(config),
        version: config.version ?? args.version,
        ...(args.release === undefined ? {} : { releaseVersion: args.release }),
        // The number, not "$Latest": only a new number rolls the group.
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
      // The autoscaler's from the moment the group is there. With ignoreChanges the engine sends the number of the last
      // update, so where new bounds are sent it is the number of today instead.
      { parent: this, ignoreChanges: resized ? [] : ["scalingConfig.desiredSize"] },
    );
    const autoScalingGroup = group.resources.apply((all) => all[0]?.autoscalingGroups?.[0]?.name ?? "");
    for (const [key, value] of Object.entries(autoscalingTags(cluster, pool, config))) {
      // Tags of a node group do not reach its Auto Scaling group, where the autoscaler looks.
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

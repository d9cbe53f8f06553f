import * as eks from "@aws-sdk/client-eks";
import type * as args from "@pulumi/aws/eks";
import type * as pulumi from "@pulumi/pulumi";
import { deleteGroup, makeGroup } from "./autoscaling";
import { connection, maker, suffix, required } from "./maker";
import { mustBeThere } from "./references";

const client = new eks.EKSClient(connection());
type ClusterInputs = pulumi.Unwrap<args.ClusterArgs>;
type GroupInputs = pulumi.Unwrap<args.NodeGroupArgs>;

const loggingOf = ({ enabledClusterLogTypes: types = [] }: ClusterInputs): eks.Logging => ({
  clusterLogging: [{ types: types as eks.LogType[], enabled: true }],
});

export const cluster = maker<args.ClusterArgs>({
  takes: [
    "accessConfig",
    "bootstrapSelfManagedAddons",
    "deletionProtection",
    "enabledClusterLogTypes",
    "encryptionConfig",
    "kubernetesNetworkConfig",
    "name",
    "roleArn",
    "upgradePolicy",
    "version",
    "vpcConfig",
  ],
  async create(inputs) {
    const { accessConfig, encryptionConfig, kubernetesNetworkConfig, roleArn, upgradePolicy, vpcConfig } = inputs;
    await mustBeThere({ roleArn, subnetIds: vpcConfig.subnetIds, keyArn: encryptionConfig?.provider.keyArn });
    const { cluster: made } = await client.send(
      new eks.CreateClusterCommand({
        name: inputs.name,
        roleArn,
        version: inputs.version,
        resourcesVpcConfig: vpcConfig as eks.VpcConfigRequest,
        kubernetesNetworkConfig: kubernetesNetworkConfig as eks.KubernetesNetworkConfigRequest,
        accessConfig: accessConfig as eks.CreateAccessConfigRequest,
        encryptionConfig: encryptionConfig && [encryptionConfig],
        logging: loggingOf(inputs),
        upgradePolicy: upgradePolicy as eks.UpgradePolicyRequest,
        bootstrapSelfManagedAddons: inputs.bootstrapSelfManagedAddons,
        deletionProtection: inputs.deletionProtection,
      }),
    );
    const issuer = required(made?.identity?.oidc?.issuer);
    return { id: required(made?.name), outputs: { arn: made?.arn, identities: [{ oidcs: [{ issuer }] }] } };
  },
  /** moto supports neither a change of the version nor of the protection. */
  async update(name, inputs) {
    const { roleArn, vpcConfig } = inputs;
    await mustBeThere({ roleArn, subnetIds: vpcConfig.subnetIds });
    const request = { name, resourcesVpcConfig: vpcConfig as eks.VpcConfigRequest, logging: loggingOf(inputs) };
    await client.send(new eks.UpdateClusterConfigCommand(request));
  },
  delete: (name) => client.send(new eks.DeleteClusterCommand({ name })),
});

const taintsOf = ({ taints = [] }: GroupInputs) => taints as eks.Taint[];
const nameIn = (id: string): string => id.slice(id.indexOf(":") + 1);

export const nodeGroup = maker<args.NodeGroupArgs>({
  takes: [
    "amiType",
    "capacityType",
    "clusterName",
    "forceUpdateVersion",
    "instanceTypes",
    "labels",
    "launchTemplate",
    "nodeGroupName",
    "nodeGroupNamePrefix",
    "nodeRepairConfig",
    "nodeRoleArn",
    "releaseVersion",
    "scalingConfig",
    "subnetIds",
    "taints",
    "updateConfig",
    "version",
  ],
  async create(inputs) {
    const { clusterName, launchTemplate, nodeRoleArn, scalingConfig, subnetIds } = inputs;
    const template = launchTemplate?.id;
    if (template === undefined)
      throw new Error("the double makes only node groups that name a launch template by its id");
    await mustBeThere({ roleArn: nodeRoleArn, subnetIds, launchTemplate });
    const { nodegroup: made } = await client.send(
      new eks.CreateNodegroupCommand({
        clusterName,
        nodegroupName: inputs.nodeGroupName ?? `${inputs.nodeGroupNamePrefix}${suffix()}`,
        nodeRole: nodeRoleArn,
        subnets: subnetIds,
        amiType: inputs.amiType as eks.AMITypes,
        capacityType: inputs.capacityType as eks.CapacityTypes,
        instanceTypes: inputs.instanceTypes,
        labels: inputs.labels,
        launchTemplate,
        nodeRepairConfig: inputs.nodeRepairConfig as eks.NodeRepairConfig,
        releaseVersion: inputs.releaseVersion,
        scalingConfig,
        taints: taintsOf(inputs),
        updateConfig: inputs.updateConfig as eks.NodegroupUpdateConfig,
        version: inputs.version,
      }),
    );
    const autoscalingGroups = (made?.resources?.autoScalingGroups ?? []).map(({ name }) => ({ name: required(name) }));
    for (const { name } of autoscalingGroups) await makeGroup(name, subnetIds, template);
    const nodeGroupName = required(made?.nodegroupName);
    const outputs = { arn: made?.nodegroupArn, nodeGroupName, resources: [{ autoscalingGroups }] };
    return { id: `${clusterName}:${nodeGroupName}`, outputs };
  },
  /** moto supports neither a change of the version nor of the launch template. */
  async update(id, inputs, old) {
    const { labels = {}, launchTemplate, nodeRoleArn, scalingConfig, subnetIds } = inputs;
    await mustBeThere({ roleArn: nodeRoleArn, subnetIds, launchTemplate });
    const stays = new Set(taintsOf(inputs).map(({ key, effect }) => `${key}:${effect}`));
    await client.send(
      new eks.UpdateNodegroupConfigCommand({
        clusterName: inputs.clusterName,
        nodegroupName: nameIn(id),
        labels: {
          addOrUpdateLabels: labels,
          removeLabels: Object.keys(old.labels ?? {}).filter((key) => !Object.hasOwn(labels, key)),
        },
        taints: {
          addOrUpdateTaints: taintsOf(inputs),
          removeTaints: taintsOf(old).filter(({ key, effect }) => !stays.has(`${key}:${effect}`)),
        },
        scalingConfig,
        updateConfig: inputs.updateConfig as eks.NodegroupUpdateConfig,
        nodeRepairConfig: inputs.nodeRepairConfig as eks.NodeRepairConfig,
      }),
    );
  },
  async delete(id, { clusterName }) {
    const group = { clusterName, nodegroupName: nameIn(id) };
    const { nodegroup } = await client.send(new eks.DescribeNodegroupCommand(group));
    await client.send(new eks.DeleteNodegroupCommand(group));
    for (const { name } of nodegroup?.resources?.autoScalingGroups ?? []) await deleteGroup(required(name));
  },
});

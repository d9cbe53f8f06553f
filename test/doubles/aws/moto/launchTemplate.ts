import * as ec2 from "@aws-sdk/client-ec2";
import type * as pulumi from "@pulumi/pulumi";
import type { LaunchTemplateArgs } from "@pulumi/aws/ec2";
import { connection, maker, suffix, required } from "./maker";
import { tagsOf } from "./network";

const client = new ec2.EC2Client(connection());

/** The provider writes some booleans as text. */
const flag = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === "true");

function dataOf(inputs: pulumi.Unwrap<LaunchTemplateArgs>): ec2.RequestLaunchTemplateData {
  const { blockDeviceMappings, metadataOptions, tagSpecifications, userData, vpcSecurityGroupIds } = inputs;
  return {
    BlockDeviceMappings: blockDeviceMappings?.map(({ deviceName, ebs }) => ({
      DeviceName: deviceName,
      Ebs: ebs && {
        VolumeSize: ebs.volumeSize,
        VolumeType: ebs.volumeType as ec2.VolumeType,
        Encrypted: flag(ebs.encrypted),
        KmsKeyId: ebs.kmsKeyId,
        DeleteOnTermination: flag(ebs.deleteOnTermination),
      },
    })),
    MetadataOptions: metadataOptions && {
      HttpEndpoint: metadataOptions.httpEndpoint as ec2.LaunchTemplateInstanceMetadataEndpointState,
      HttpTokens: metadataOptions.httpTokens as ec2.LaunchTemplateHttpTokensState,
      HttpPutResponseHopLimit: metadataOptions.httpPutResponseHopLimit,
    },
    SecurityGroupIds: vpcSecurityGroupIds,
    UserData: userData,
    TagSpecifications: tagSpecifications?.map(({ resourceType, tags }) => ({
      ResourceType: resourceType as ec2.ResourceType,
      Tags: tagsOf(tags),
    })),
  };
}

export const launchTemplate = maker<LaunchTemplateArgs>({
  takes: [
    "blockDeviceMappings",
    "metadataOptions",
    "name",
    "namePrefix",
    "tagSpecifications",
    "userData",
    "vpcSecurityGroupIds",
  ],
  async create(inputs) {
    const LaunchTemplateName = inputs.name ?? `${inputs.namePrefix}${suffix()}`;
    const request = { LaunchTemplateName, LaunchTemplateData: dataOf(inputs) };
    const { LaunchTemplate } = await client.send(new ec2.CreateLaunchTemplateCommand(request));
    const { LaunchTemplateId, LatestVersionNumber } = LaunchTemplate ?? {};
    return {
      id: required(LaunchTemplateId),
      outputs: { name: LaunchTemplateName, latestVersion: LatestVersionNumber },
    };
  },
  async update(LaunchTemplateId, inputs) {
    const request = { LaunchTemplateId, LaunchTemplateData: dataOf(inputs) };
    const made = await client.send(new ec2.CreateLaunchTemplateVersionCommand(request));
    return { latestVersion: made.LaunchTemplateVersion?.VersionNumber };
  },
  delete: (LaunchTemplateId) => client.send(new ec2.DeleteLaunchTemplateCommand({ LaunchTemplateId })),
});

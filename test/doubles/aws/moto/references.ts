import * as ec2 from "@aws-sdk/client-ec2";
import * as iam from "@aws-sdk/client-iam";
import * as kms from "@aws-sdk/client-kms";
import { connection } from "./maker";

/** References in the inputs of clusters and node groups. */
export interface References {
  readonly roleArn: string;
  readonly subnetIds: readonly string[];
  readonly keyArn?: string | undefined;
  readonly launchTemplate?: { readonly id?: string; readonly version: string } | undefined;
}

/**
 * Checks each reference in moto, as EKS does and moto's EKS does not. A missing resource is an error of its own
 * service.
 */
export async function mustBeThere({ roleArn, subnetIds, keyArn, launchTemplate }: References): Promise<void> {
  const network = new ec2.EC2Client(connection());
  const RoleName = roleArn.slice(roleArn.lastIndexOf("/") + 1);
  await new iam.IAMClient(connection()).send(new iam.GetRoleCommand({ RoleName }));
  await network.send(new ec2.DescribeSubnetsCommand({ SubnetIds: [...subnetIds] }));
  if (keyArn !== undefined) await new kms.KMSClient(connection()).send(new kms.DescribeKeyCommand({ KeyId: keyArn }));
  if (launchTemplate) {
    const { id: LaunchTemplateId, version } = launchTemplate;
    const request = { LaunchTemplateId, Versions: [version] };
    await network.send(new ec2.DescribeLaunchTemplateVersionsCommand(request));
  }
}

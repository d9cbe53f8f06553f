import * as autoscaling from "@aws-sdk/client-auto-scaling";
import * as logs from "@aws-sdk/client-cloudwatch-logs";
import * as ec2 from "@aws-sdk/client-ec2";
import * as eks from "@aws-sdk/client-eks";
import * as iam from "@aws-sdk/client-iam";
import * as kms from "@aws-sdk/client-kms";
import { connection } from "../../doubles/aws/moto/maker";

/** What AWS's API, as moto serves it, has to report of the account. */
export class MotoAccount {
  private readonly autoscaling: autoscaling.AutoScalingClient;
  private readonly ec2: ec2.EC2Client;
  private readonly eks: eks.EKSClient;
  private readonly iam: iam.IAMClient;
  private readonly kms: kms.KMSClient;
  private readonly logs: logs.CloudWatchLogsClient;

  constructor(address: string) {
    const place = connection(address);
    this.autoscaling = new autoscaling.AutoScalingClient(place);
    this.ec2 = new ec2.EC2Client(place);
    this.eks = new eks.EKSClient(place);
    this.iam = new iam.IAMClient(place);
    this.kms = new kms.KMSClient(place);
    this.logs = new logs.CloudWatchLogsClient(place);
  }

  async clusters(): Promise<string[]> {
    return (await this.eks.send(new eks.ListClustersCommand({}))).clusters ?? [];
  }

  async nodeGroups(clusterName: string): Promise<string[]> {
    return (await this.eks.send(new eks.ListNodegroupsCommand({ clusterName }))).nodegroups ?? [];
  }

  /** Trust documents by the names of their roles. */
  async trusts(): Promise<Record<string, string>> {
    const { Roles = [] } = await this.iam.send(new iam.ListRolesCommand({}));
    const documents = Roles.map(({ RoleName, AssumeRolePolicyDocument: text = "" }) => [
      RoleName,
      decodeURIComponent(text),
    ]);
    return Object.fromEntries(documents) as Record<string, string>;
  }

  /** How many tags the Auto Scaling groups have. */
  async groupTags(): Promise<number> {
    return ((await this.autoscaling.send(new autoscaling.DescribeTagsCommand({}))).Tags ?? []).length;
  }

  /** What can change without a new id, of the resources of `test/fixtures/programs/moto.ts`. */
  async details(vpc: string) {
    const ofVpc = { Filters: [{ Name: "vpc-id", Values: [vpc] }] };
    const group = { clusterName: "the-cluster", nodegroupName: "the-nodes" };
    const { Vpcs } = await this.ec2.send(new ec2.DescribeVpcsCommand({ VpcIds: [vpc] }));
    const { Subnets } = await this.ec2.send(new ec2.DescribeSubnetsCommand(ofVpc));
    const { RouteTables = [] } = await this.ec2.send(new ec2.DescribeRouteTablesCommand(ofVpc));
    const routes = RouteTables.flatMap(({ Routes = [] }) => Routes).filter(({ GatewayId }) => GatewayId !== "local");
    const policy = await this.iam.send(
      new iam.GetRolePolicyCommand({ RoleName: "the-role", PolicyName: "the-rights" }),
    );
    const { KeyMetadata } = await this.kms.send(new kms.DescribeKeyCommand({ KeyId: "alias/the-key" }));
    const rotation = await this.kms.send(new kms.GetKeyRotationStatusCommand({ KeyId: KeyMetadata?.KeyId }));
    const { logGroups } = await this.logs.send(new logs.DescribeLogGroupsCommand({}));
    const { cluster } = await this.eks.send(new eks.DescribeClusterCommand({ name: "the-cluster" }));
    const { nodegroup } = await this.eks.send(new eks.DescribeNodegroupCommand(group));
    const { LaunchTemplates } = await this.ec2.send(new ec2.DescribeLaunchTemplatesCommand({}));
    const { Tags } = await this.autoscaling.send(new autoscaling.DescribeTagsCommand({}));
    return {
      vpc: Object.fromEntries((Vpcs?.[0]?.Tags ?? []).map(({ Key, Value }) => [Key, Value])) as Record<string, string>,
      public: Subnets?.[0]?.MapPublicIpOnLaunch,
      routes: routes.map(({ DestinationCidrBlock }) => DestinationCidrBlock),
      trust: (await this.trusts())["the-role"],
      policy: decodeURIComponent(policy.PolicyDocument ?? ""),
      key: [KeyMetadata?.Description, rotation.KeyRotationEnabled],
      retention: logGroups?.[0]?.retentionInDays,
      cidrs: cluster?.resourcesVpcConfig?.publicAccessCidrs,
      template: LaunchTemplates?.[0]?.LatestVersionNumber,
      nodes: [nodegroup?.scalingConfig?.maxSize, nodegroup?.labels, nodegroup?.taints?.map(({ key }) => key)],
      tag: Tags?.[0]?.Value,
    };
  }

  /** All there is, a line each; what AWS still lists of deleted things is not counted. */
  async content(): Promise<string[]> {
    const found: Readonly<Record<string, readonly (string | undefined)[]>> = {
      ...(await this.network()),
      cluster: await this.clusters(),
      role: Object.keys(await this.trusts()),
      identity: (
        (await this.iam.send(new iam.ListOpenIDConnectProvidersCommand({}))).OpenIDConnectProviderList ?? []
      ).map(({ Arn }) => Arn),
      alias: ((await this.kms.send(new kms.ListAliasesCommand({}))).Aliases ?? []).map(({ AliasName }) => AliasName),
      key: await this.keys(),
      log: ((await this.logs.send(new logs.DescribeLogGroupsCommand({}))).logGroups ?? []).map((each) => each.arn),
      scaling: (
        (await this.autoscaling.send(new autoscaling.DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups ?? []
      ).map((each) => each.AutoScalingGroupName),
    };
    return Object.entries(found).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`).sort());
  }

  private async keys(): Promise<string[]> {
    const { Keys = [] } = await this.kms.send(new kms.ListKeysCommand({}));
    const all = await Promise.all(Keys.map(({ KeyId }) => this.kms.send(new kms.DescribeKeyCommand({ KeyId }))));
    return all.flatMap(({ KeyMetadata: key }) => (key?.KeyState === "PendingDeletion" ? [] : [key?.KeyId ?? ""]));
  }

  private async network() {
    const { Vpcs = [] } = await this.ec2.send(new ec2.DescribeVpcsCommand({}));
    const { Subnets = [] } = await this.ec2.send(new ec2.DescribeSubnetsCommand({}));
    const { InternetGateways = [] } = await this.ec2.send(new ec2.DescribeInternetGatewaysCommand({}));
    const { NatGateways = [] } = await this.ec2.send(new ec2.DescribeNatGatewaysCommand({}));
    const { Addresses = [] } = await this.ec2.send(new ec2.DescribeAddressesCommand({}));
    const { RouteTables = [] } = await this.ec2.send(new ec2.DescribeRouteTablesCommand({}));
    const { VpcEndpoints = [] } = await this.ec2.send(new ec2.DescribeVpcEndpointsCommand({}));
    const { LaunchTemplates = [] } = await this.ec2.send(new ec2.DescribeLaunchTemplatesCommand({}));
    return {
      vpc: Vpcs.map(({ VpcId }) => VpcId),
      subnet: Subnets.map(({ SubnetId }) => SubnetId),
      "internet gateway": InternetGateways.map(({ InternetGatewayId }) => InternetGatewayId),
      "NAT gateway": NatGateways.filter(({ State }) => State !== "deleted").map(({ NatGatewayId }) => NatGatewayId),
      address: Addresses.map(({ AllocationId }) => AllocationId),
      "route table": RouteTables.map(({ RouteTableId }) => RouteTableId),
      endpoint: VpcEndpoints.filter(({ State }) => State?.toLowerCase() !== "deleted").map(
        ({ VpcEndpointId }) => VpcEndpointId,
      ),
      "launch template": LaunchTemplates.map(({ LaunchTemplateId }) => LaunchTemplateId),
    };
  }
}

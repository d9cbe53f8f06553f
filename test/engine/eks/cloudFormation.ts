/** Resources of a graph as a template of CloudFormation, whose schemas are AWS' own. */

import type { Node } from "../snapshots/graph";

type Values = Readonly<Record<string, unknown>>;
type Made = { readonly Type: string; readonly Properties: Values };
/** Some of the inputs under their names there; an input that is not read is an error. */
type Rule = (inputs: Inputs) => Made | Made[];

const UNKNOWN = "(known when it is made)";
/** Each thing that nobody knows yet is a parameter of its own. */
let unknowns = 0;
const unknown = () => ({ Ref: `Unknown${unknowns++}` });

/** Inputs, of which it is known which were read. */
class Inputs {
  readonly read = new Set<string>();
  constructor(private readonly all: Values) {}

  get(key: string): unknown {
    this.read.add(key);
    return plain(this.all[key]);
  }
  object(key: string): Values {
    return (this.get(key) ?? {}) as Values;
  }
  list(key: string): Values[] {
    return (this.get(key) ?? []) as Values[];
  }
  /** By `Name: "input"`; what is not there is skipped. */
  as(names: Readonly<Record<string, string>>): Values {
    return present(Object.fromEntries(Object.entries(names).map(([name, key]) => [name, this.get(key)])));
  }
  left(): string[] {
    return Object.keys(this.all).filter((key) => !this.read.has(key));
  }
}

const present = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function plain(value: unknown): unknown {
  if (value === UNKNOWN) return unknown();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** `minSize` is `MinSize`, at any depth. */
function capital(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capital);
  if (typeof value !== "object" || value === null || "Ref" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.charAt(0).toUpperCase() + key.slice(1), capital(inner)]),
  );
}

const tagsOf = (tags: unknown) =>
  tags === undefined ? undefined : Object.entries(tags as Values).map(([Key, Value]) => ({ Key, Value }));
const interfacesOf = (all: unknown) =>
  (all as Values[] | undefined)?.map(({ deleteOnTermination, securityGroups, ...rest }) => ({
    ...(capital(rest) as Values),
    DeleteOnTermination: flag(deleteOnTermination),
    Groups: securityGroups,
  }));
const flag = (text: unknown) => (typeof text === "string" ? text === "true" : text);
const documentOf = (text: unknown): unknown => (typeof text === "string" ? (JSON.parse(text) as unknown) : text);
const SAMPLE_TRUST = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
};

const of =
  (Type: string, names: Readonly<Record<string, string>>, more: (inputs: Inputs) => Values = () => ({})): Rule =>
  (inputs) => ({ Type: `AWS::${Type}`, Properties: { ...inputs.as(names), ...present(more(inputs)) } });

const RULES: Readonly<Record<string, Rule>> = {
  "aws:autoscaling/tag:Tag": of("AutoScaling::AutoScalingGroup", {}, (inputs) => {
    inputs.get("autoscalingGroupName");
    return {
      MinSize: "0",
      MaxSize: "1",
      AvailabilityZones: ["eu-central-1a"],
      LaunchTemplate: { LaunchTemplateId: unknown(), Version: "1" },
      Tags: [capital(inputs.get("tag"))],
    };
  }),
  "aws:cloudwatch/logGroup:LogGroup": of("Logs::LogGroup", {
    LogGroupName: "name",
    RetentionInDays: "retentionInDays",
  }),
  "aws:ec2/eip:Eip": of("EC2::EIP", { Domain: "domain" }),
  "aws:ec2/internetGateway:InternetGateway": of("EC2::VPCGatewayAttachment", { VpcId: "vpcId" }, () => ({
    InternetGatewayId: unknown(),
  })),
  "aws:ec2/launchTemplate:LaunchTemplate": of(
    "EC2::LaunchTemplate",
    { LaunchTemplateName: "namePrefix" },
    (inputs) => ({
      LaunchTemplateData: present({
        ...inputs.as({
          ImageId: "imageId",
          InstanceType: "instanceType",
          SecurityGroupIds: "vpcSecurityGroupIds",
          UserData: "userData",
        }),
        CapacityReservationSpecification: capital(inputs.get("capacityReservationSpecification")),
        InstanceMarketOptions: capital(inputs.get("instanceMarketOptions")),
        MetadataOptions: capital(inputs.get("metadataOptions")),
        NetworkInterfaces: interfacesOf(inputs.get("networkInterfaces")),
        Placement: capital(inputs.get("placement")),
        TagSpecifications: inputs
          .list("tagSpecifications")
          .map(({ resourceType, tags }) => ({ ResourceType: resourceType, Tags: tagsOf(tags) })),
        BlockDeviceMappings: inputs.list("blockDeviceMappings").map(({ deviceName, ebs }) => {
          const { encrypted, deleteOnTermination, ...rest } = ebs as Values;
          const flags = { Encrypted: flag(encrypted), DeleteOnTermination: flag(deleteOnTermination) };
          return { DeviceName: deviceName, Ebs: { ...(capital(rest) as Values), ...flags } };
        }),
      }),
    }),
  ),
  "aws:ec2/natGateway:NatGateway": of("EC2::NatGateway", { AllocationId: "allocationId", SubnetId: "subnetId" }),
  "aws:ec2/placementGroup:PlacementGroup": of("EC2::PlacementGroup", { Strategy: "strategy" }),
  "aws:ec2/route:Route": of("EC2::Route", {
    DestinationCidrBlock: "destinationCidrBlock",
    RouteTableId: "routeTableId",
    TransitGatewayId: "transitGatewayId",
    VpcPeeringConnectionId: "vpcPeeringConnectionId",
  }),
  "aws:ec2/routeTable:RouteTable": (inputs) => [
    {
      Type: "AWS::EC2::RouteTable",
      Properties: present({ VpcId: inputs.get("vpcId"), Tags: tagsOf(inputs.get("tags")) }),
    },
    ...inputs.list("routes").map(({ cidrBlock, ...target }) => ({
      Type: "AWS::EC2::Route",
      Properties: { RouteTableId: unknown(), DestinationCidrBlock: cidrBlock, ...(capital(target) as Values) },
    })),
  ],
  "aws:ec2/routeTableAssociation:RouteTableAssociation": of("EC2::SubnetRouteTableAssociation", {
    RouteTableId: "routeTableId",
    SubnetId: "subnetId",
  }),
  // CloudFormation has no tags of existing subnets.
  "aws:ec2/tag:Tag": (inputs) => {
    for (const key of ["resourceId", "key", "value"]) inputs.get(key);
    return [];
  },
  "aws:ec2transitgateway/vpcAttachment:VpcAttachment": of(
    "EC2::TransitGatewayVpcAttachment",
    { SubnetIds: "subnetIds", TransitGatewayId: "transitGatewayId", VpcId: "vpcId" },
    (inputs) => ({ Tags: tagsOf(inputs.get("tags")) }),
  ),
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": of("EC2::SecurityGroupIngress", {
    CidrIp: "cidrIpv4",
    FromPort: "fromPort",
    GroupId: "securityGroupId",
    IpProtocol: "ipProtocol",
    SourceSecurityGroupId: "referencedSecurityGroupId",
    ToPort: "toPort",
  }),
  "aws:ec2/subnet:Subnet": of(
    "EC2::Subnet",
    {
      AvailabilityZone: "availabilityZone",
      CidrBlock: "cidrBlock",
      MapPublicIpOnLaunch: "mapPublicIpOnLaunch",
      VpcId: "vpcId",
    },
    (inputs) => ({ Tags: tagsOf(inputs.get("tags")) }),
  ),
  "aws:ec2/vpc:Vpc": of(
    "EC2::VPC",
    { CidrBlock: "cidrBlock", EnableDnsHostnames: "enableDnsHostnames", EnableDnsSupport: "enableDnsSupport" },
    (inputs) => ({ Tags: tagsOf(inputs.get("tags")) }),
  ),
  "aws:ec2/vpcEndpoint:VpcEndpoint": of("EC2::VPCEndpoint", {
    RouteTableIds: "routeTableIds",
    ServiceName: "serviceName",
    VpcId: "vpcId",
  }),
  "aws:eks/accessEntry:AccessEntry": of("EKS::AccessEntry", {
    ClusterName: "clusterName",
    KubernetesGroups: "kubernetesGroups",
    PrincipalArn: "principalArn",
    Type: "type",
  }),
  "aws:cloudwatch/eventRule:EventRule": of("Events::Rule", { Name: "name" }, (inputs) => ({
    EventPattern: documentOf(inputs.get("eventPattern")),
  })),
  "aws:cloudwatch/eventTarget:EventTarget": of("Events::Rule", { Name: "rule" }, (inputs) => ({
    EventPattern: { source: ["aws.ec2"] },
    Targets: [{ Id: inputs.get("targetId"), Arn: inputs.get("arn") }],
  })),
  "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": of(
    "EKS::AccessEntry",
    { PrincipalArn: "principalArn" },
    (inputs) => ({
      // There it is part of the entry, which is named once.
      ClusterName: inputs.get("clusterName") && unknown(),
      AccessPolicies: [{ PolicyArn: inputs.get("policyArn"), AccessScope: capital(inputs.get("accessScope")) }],
    }),
  ),
  "aws:eks/addon:Addon": of(
    "EKS::Addon",
    {
      AddonName: "addonName",
      AddonVersion: "addonVersion",
      ClusterName: "clusterName",
      ConfigurationValues: "configurationValues",
      ResolveConflicts: "resolveConflictsOnCreate",
      ServiceAccountRoleArn: "serviceAccountRoleArn",
    },
    (inputs) => {
      // One for both there; each is a value of the other's.
      inputs.get("resolveConflictsOnUpdate");
      return { PodIdentityAssociations: capital(inputs.get("podIdentityAssociations")) };
    },
  ),
  "aws:eks/cluster:Cluster": of(
    "EKS::Cluster",
    {
      BootstrapSelfManagedAddons: "bootstrapSelfManagedAddons",
      DeletionProtection: "deletionProtection",
      Force: "forceUpdateVersion",
      Name: "name",
      RoleArn: "roleArn",
      Version: "version",
    },
    (inputs) => ({
      AccessConfig: capital(inputs.get("accessConfig")),
      ComputeConfig: capital(inputs.get("computeConfig")),
      ControlPlaneScalingConfig: capital(inputs.get("controlPlaneScalingConfig")),
      StorageConfig: capital(inputs.get("storageConfig")),
      EncryptionConfig: [capital(inputs.get("encryptionConfig"))],
      KubernetesNetworkConfig: capital(inputs.get("kubernetesNetworkConfig")),
      Logging: { ClusterLogging: { EnabledTypes: inputs.list("enabledClusterLogTypes").map((Type) => ({ Type })) } },
      ResourcesVpcConfig: capital(inputs.get("vpcConfig")),
      UpgradePolicy: capital(inputs.get("upgradePolicy")),
      ZonalShiftConfig: capital(inputs.get("zonalShiftConfig")),
    }),
  ),
  "aws:eks/nodeGroup:NodeGroup": of(
    "EKS::Nodegroup",
    {
      AmiType: "amiType",
      CapacityType: "capacityType",
      ClusterName: "clusterName",
      ForceUpdateEnabled: "forceUpdateVersion",
      InstanceTypes: "instanceTypes",
      Labels: "labels",
      NodeRole: "nodeRoleArn",
      NodegroupName: "nodeGroupNamePrefix",
      ReleaseVersion: "releaseVersion",
      Subnets: "subnetIds",
      Version: "version",
    },
    (inputs) => ({
      LaunchTemplate: capital(inputs.get("launchTemplate")),
      NodeRepairConfig: capital(inputs.get("nodeRepairConfig")),
      ScalingConfig: capital(inputs.get("scalingConfig")),
      Taints: capital(inputs.get("taints")),
      UpdateConfig: capital(inputs.get("updateConfig")),
    }),
  ),
  "aws:eks/podIdentityAssociation:PodIdentityAssociation": of("EKS::PodIdentityAssociation", {
    ClusterName: "clusterName",
    Namespace: "namespace",
    RoleArn: "roleArn",
    ServiceAccount: "serviceAccount",
  }),
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": of("IAM::OIDCProvider", {
    ClientIdList: "clientIdLists",
    Url: "url",
  }),
  "aws:iam/role:Role": of("IAM::Role", { PermissionsBoundary: "permissionsBoundary", RoleName: "name" }, (inputs) => ({
    AssumeRolePolicyDocument: documentOf(inputs.get("assumeRolePolicy")),
  })),
  "aws:iam/rolePolicy:RolePolicy": of("IAM::RolePolicy", { RoleName: "role" }, (inputs) => ({
    PolicyName: "policy",
    PolicyDocument: documentOf(inputs.get("policy")),
  })),
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": of("IAM::Role", {}, (inputs) => {
    inputs.get("role");
    return { AssumeRolePolicyDocument: SAMPLE_TRUST, ManagedPolicyArns: [inputs.get("policyArn")] };
  }),
  "aws:sqs/queue:Queue": of("SQS::Queue", {
    QueueName: "name",
    MessageRetentionPeriod: "messageRetentionSeconds",
    SqsManagedSseEnabled: "sqsManagedSseEnabled",
  }),
  "aws:sqs/queuePolicy:QueuePolicy": of("SQS::QueuePolicy", {}, (inputs) => ({
    Queues: [inputs.get("queueUrl")],
    PolicyDocument: documentOf(inputs.get("policy")),
  })),
  "aws:kms/alias:Alias": of("KMS::Alias", { AliasName: "name", TargetKeyId: "targetKeyId" }),
  // CloudFormation has no grants.
  "aws:kms/grant:Grant": (inputs) => {
    for (const key of ["granteePrincipal", "keyId", "operations"]) inputs.get(key);
    return [];
  },
  "aws:kms/key:Key": of("KMS::Key", { Description: "description", EnableKeyRotation: "enableKeyRotation" }),
};

/** Throws for a type or an input that it would not check. */
export function templateOf(graph: readonly Node[]): {
  readonly template: object;
  readonly names: Readonly<Record<string, string>>;
} {
  unknowns = 0;
  const resources: Record<string, Made> = {};
  const names: Record<string, string> = {};
  for (const { type, name, inputs } of graph) {
    if (!type.startsWith("aws:")) continue;
    const rule = RULES[type];
    if (!rule) throw new Error(`${type} has no type of CloudFormation`);
    const read = new Inputs(inputs as Values);
    for (const made of [rule(read)].flat()) {
      const id = `R${Object.keys(resources).length}`;
      resources[id] = made;
      names[id] = `${type} ${name}`;
    }
    if (read.left().length > 0) throw new Error(`${type} ${name}: ${read.left().join(", ")} would not be checked`);
  }
  return {
    template: {
      AWSTemplateFormatVersion: "2010-09-09",
      Parameters: Object.fromEntries(Array.from({ length: unknowns }, (_, at) => [`Unknown${at}`, { Type: "String" }])),
      Resources: resources,
    },
    names,
  };
}

/** Templates of CloudFormation for a cluster that the platform did not create, and for its network. Pure. */

interface FormerCluster {
  readonly name: string;
  readonly version: string;
  /** Range from which its endpoint is reached. */
  readonly publicCidr: string;
}

const ref = (Ref: string) => ({ Ref });
const arnOf = (resource: string) => ({ "Fn::GetAtt": [resource, "Arn"] });

const role = (RoleName: string, service: string, policies: readonly string[]) => ({
  Type: "AWS::IAM::Role",
  Properties: {
    RoleName,
    AssumeRolePolicyDocument: {
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }],
    },
    ManagedPolicyArns: policies.map((name) => `arn:aws:iam::aws:policy/${name}`),
  },
});

const subnet = (index: number) => ({
  Type: "AWS::EC2::Subnet",
  Properties: {
    VpcId: ref("Vpc"),
    CidrBlock: `10.98.${index * 16}.0/20`,
    AvailabilityZone: { "Fn::Select": [index, { "Fn::GetAZs": "" }] },
    MapPublicIpOnLaunch: true,
  },
});

const associated = (name: string) => ({
  Type: "AWS::EC2::SubnetRouteTableAssociation",
  Properties: { SubnetId: ref(name), RouteTableId: ref("Routes") },
});

/** A network with two public subnets, and the roles of the cluster and its nodes. */
export function networkTemplate(cluster: string): string {
  return JSON.stringify({
    AWSTemplateFormatVersion: "2010-09-09",
    Resources: {
      Vpc: {
        Type: "AWS::EC2::VPC",
        Properties: { CidrBlock: "10.98.0.0/16", EnableDnsHostnames: true, EnableDnsSupport: true },
      },
      Gateway: { Type: "AWS::EC2::InternetGateway" },
      Attachment: {
        Type: "AWS::EC2::VPCGatewayAttachment",
        Properties: { VpcId: ref("Vpc"), InternetGatewayId: ref("Gateway") },
      },
      Routes: { Type: "AWS::EC2::RouteTable", Properties: { VpcId: ref("Vpc") } },
      Out: {
        Type: "AWS::EC2::Route",
        DependsOn: "Attachment",
        Properties: { RouteTableId: ref("Routes"), DestinationCidrBlock: "0.0.0.0/0", GatewayId: ref("Gateway") },
      },
      A: subnet(0),
      B: subnet(1),
      RoutesOfA: associated("A"),
      RoutesOfB: associated("B"),
      ClusterRole: role(`${cluster}-cfn-cluster`, "eks.amazonaws.com", ["AmazonEKSClusterPolicy"]),
      NodeRole: role(`${cluster}-cfn-nodes`, "ec2.amazonaws.com", [
        ...["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly"],
      ]),
    },
    Outputs: {
      SubnetA: { Value: ref("A") },
      SubnetB: { Value: ref("B") },
      ClusterRole: { Value: arnOf("ClusterRole") },
      NodeRole: { Value: arnOf("NodeRole") },
    },
  });
}

/** Keeps the cluster when its stack is deleted, as docs/eks-import.md says. */
const KEPT = { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" } as const;

export function clusterTemplate(
  { name, version, publicCidr }: FormerCluster,
  { SubnetA, SubnetB, ClusterRole, NodeRole }: Readonly<Record<string, string>>,
): string {
  const subnets = [SubnetA, SubnetB];
  return JSON.stringify({
    AWSTemplateFormatVersion: "2010-09-09",
    Resources: {
      Cluster: {
        Type: "AWS::EKS::Cluster",
        ...KEPT,
        Properties: {
          Name: name,
          Version: version,
          RoleArn: ClusterRole,
          ResourcesVpcConfig: {
            SubnetIds: subnets,
            EndpointPublicAccess: true,
            EndpointPrivateAccess: true,
            PublicAccessCidrs: [publicCidr],
          },
          AccessConfig: { AuthenticationMode: "API_AND_CONFIG_MAP", BootstrapClusterCreatorAdminPermissions: true },
        },
      },
      Nodes: {
        Type: "AWS::EKS::Nodegroup",
        ...KEPT,
        Properties: {
          ClusterName: ref("Cluster"),
          NodegroupName: "nodes",
          NodeRole,
          Subnets: subnets,
          AmiType: "AL2023_x86_64_STANDARD",
          InstanceTypes: ["m7i.large"],
          ScalingConfig: { MinSize: 1, MaxSize: 2, DesiredSize: 1 },
        },
      },
    },
  });
}

import { regionalArn, iamArn, IN_REGION, of, type PolicyStatement } from "./statement";

/** EC2 resource types of a cluster and its nodes. */
const NETWORK = [
  "elastic-ip",
  "instance",
  "internet-gateway",
  "launch-template",
  "natgateway",
  "network-interface",
  "route-table",
  "security-group",
  "security-group-rule",
  "subnet",
  "transit-gateway",
  "transit-gateway-attachment",
  "volume",
  "vpc",
  "vpc-endpoint",
];

/** Actions that grant permissions to a role; IAM can restrict them to roles with a boundary. */
const GRANTS = of("iam", [
  "AttachRolePolicy",
  "CreateRole",
  "DeleteRolePolicy",
  "DetachRolePolicy",
  "PutRolePermissionsBoundary",
  "PutRolePolicy",
]);

/**
 * Permissions to create, change and delete resources of stacks. `boundary`: ARN of the policy that bounds each role
 * that is created.
 */
export function writeRights(clusters: string, boundary: string | undefined): PolicyStatement[] {
  const roles = [iamArn(`role/${clusters}*`)];
  return [
    {
      Sid: "Network",
      Effect: "Allow",
      Action: of("ec2", [
        "AllocateAddress",
        "AssociateRouteTable",
        "AttachInternetGateway",
        "AuthorizeSecurityGroupIngress",
        "CreateInternetGateway",
        "CreateLaunchTemplate",
        "CreateLaunchTemplateVersion",
        "CreateNatGateway",
        "CreateRoute",
        "CreateRouteTable",
        "CreateSubnet",
        "CreateTags",
        "CreateTransitGatewayVpcAttachment",
        "CreateVpc",
        "CreateVpcEndpoint",
        "DeleteInternetGateway",
        "DeleteLaunchTemplate",
        "DeleteNatGateway",
        "DeleteRoute",
        "DeleteRouteTable",
        "DeleteSubnet",
        "DeleteTags",
        "DeleteTransitGatewayVpcAttachment",
        "DeleteVpc",
        "DeleteVpcEndpoints",
        "DetachInternetGateway",
        "DisassociateAddress",
        "DisassociateRouteTable",
        "ModifySecurityGroupRules",
        "ModifySubnetAttribute",
        "ModifyTransitGatewayVpcAttachment",
        "ModifyVpcAttribute",
        "ModifyVpcEndpoint",
        "ReleaseAddress",
        "ReplaceRoute",
        "ReplaceRouteTableAssociation",
        "RevokeSecurityGroupIngress",
        "RunInstances",
      ]),
      Resource: [
        ...NETWORK.map((type) => regionalArn("ec2", `${type}/*`)),
        "arn:${AWS::Partition}:ec2:${AWS::Region}::image/*",
      ],
    },
    {
      Sid: "TagAutoScalingGroups",
      Effect: "Allow",
      Action: of("autoscaling", ["CreateOrUpdateTags", "DeleteTags"]),
      Resource: [regionalArn("autoscaling", "autoScalingGroup:*:autoScalingGroupName/eks-*")],
    },
    {
      Sid: "Clusters",
      Effect: "Allow",
      Action: of("eks", [
        "AssociateAccessPolicy",
        "CreateAccessEntry",
        "CreateAddon",
        "CreateNodegroup",
        "CreatePodIdentityAssociation",
        "DeleteAccessEntry",
        "DeleteAddon",
        "DeleteCluster",
        "DeleteNodegroup",
        "DeletePodIdentityAssociation",
        "DisassociateAccessPolicy",
        "TagResource",
        "UntagResource",
        "UpdateAccessEntry",
        "UpdateAddon",
        "UpdateClusterConfig",
        "UpdateClusterVersion",
        "UpdateNodegroupConfig",
        "UpdateNodegroupVersion",
        "UpdatePodIdentityAssociation",
      ]),
      Resource: [
        regionalArn("eks", `cluster/${clusters}*`),
        regionalArn("eks", `nodegroup/${clusters}*/*/*`),
        regionalArn("eks", `addon/${clusters}*/*/*`),
        regionalArn("eks", `access-entry/${clusters}*/*/*/*/*`),
        regionalArn("eks", `podidentityassociation/${clusters}*/*`),
      ],
    },
    {
      Sid: "GrantToRoles",
      Effect: "Allow",
      Action: boundary === undefined ? [...GRANTS, "iam:DeleteRolePermissionsBoundary"] : GRANTS,
      Resource: roles,
      ...(boundary === undefined ? {} : { Condition: { StringEquals: { "iam:PermissionsBoundary": boundary } } }),
    },
    {
      Sid: "Roles",
      Effect: "Allow",
      Action: of("iam", [
        "DeleteRole",
        "TagRole",
        "UntagRole",
        "UpdateAssumeRolePolicy",
        "UpdateRole",
        "UpdateRoleDescription",
      ]),
      Resource: roles,
    },
    {
      Sid: "PassRoles",
      Effect: "Allow",
      Action: ["iam:PassRole"],
      Resource: roles,
      Condition: {
        StringEquals: {
          "iam:PassedToService": ["ec2.amazonaws.com", "eks.amazonaws.com", "pods.eks.amazonaws.com"],
        },
      },
    },
    {
      Sid: "TrustOfClusters",
      Effect: "Allow",
      Action: of("iam", [
        "CreateOpenIDConnectProvider",
        "DeleteOpenIDConnectProvider",
        "TagOpenIDConnectProvider",
        "UntagOpenIDConnectProvider",
        "UpdateOpenIDConnectProviderThumbprint",
      ]),
      Resource: [iamArn("oidc-provider/oidc.eks.*")],
    },
    {
      Sid: "ServiceLinkedRoles",
      Effect: "Allow",
      Action: ["iam:CreateServiceLinkedRole"],
      Resource: [iamArn("role/aws-service-role/*")],
      Condition: {
        StringEquals: {
          "iam:AWSServiceName": ["autoscaling.amazonaws.com", "eks-nodegroup.amazonaws.com", "eks.amazonaws.com"],
        },
      },
    },
    {
      // IAM has no resource-level permissions for these.
      Sid: "Create",
      Effect: "Allow",
      Action: ["eks:CreateCluster", "kms:CreateKey"],
      Resource: ["*"],
      Condition: IN_REGION,
    },
    {
      Sid: "Keys",
      Effect: "Allow",
      Action: of("kms", [
        "CreateAlias",
        "CreateGrant",
        "DeleteAlias",
        "EnableKeyRotation",
        "ScheduleKeyDeletion",
        "TagResource",
        "UntagResource",
        "UpdateAlias",
        "UpdateKeyDescription",
      ]),
      Resource: [
        regionalArn("kms", "key/*"),
        regionalArn("kms", `alias/${clusters}*`),
        regionalArn("kms", `alias/eks/${clusters}*`),
      ],
    },
    {
      Sid: "LogGroups",
      Effect: "Allow",
      Action: of("logs", ["CreateLogGroup", "DeleteLogGroup", "PutRetentionPolicy", "TagResource", "UntagResource"]),
      Resource: [regionalArn("logs", `log-group:/aws/eks/${clusters}*`)],
    },
    {
      // The queue with interruption notices for Karpenter.
      Sid: "Interruptions",
      Effect: "Allow",
      Action: [
        ...of("sqs", ["CreateQueue", "DeleteQueue", "SetQueueAttributes", "TagQueue", "UntagQueue"]),
        ...of("events", ["DeleteRule", "PutRule", "PutTargets", "RemoveTargets", "TagResource", "UntagResource"]),
      ],
      Resource: [regionalArn("sqs", `${clusters}*`), regionalArn("events", `rule/${clusters}*`)],
    },
  ];
}

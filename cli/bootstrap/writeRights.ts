import { allow, eksArns, regionalArn, iamArn, IN_REGION, of, type PolicyStatement } from "./statement";

/** EC2 resource types of a cluster and its nodes. */
const NETWORK = [
  "capacity-reservation",
  "elastic-ip",
  "instance",
  "internet-gateway",
  "launch-template",
  "natgateway",
  "network-interface",
  "placement-group",
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
    allow(
      "Network",
      of("ec2", [
        "AllocateAddress",
        "AssociateRouteTable",
        "AttachInternetGateway",
        "AuthorizeSecurityGroupIngress",
        "CreateInternetGateway",
        "CreateLaunchTemplate",
        "CreateLaunchTemplateVersion",
        "CreateNatGateway",
        "CreatePlacementGroup",
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
        "DeletePlacementGroup",
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
      [...NETWORK.map((type) => regionalArn("ec2", `${type}/*`)), "arn:${AWS::Partition}:ec2:${AWS::Region}::image/*"],
    ),
    allow("TagAutoScalingGroups", of("autoscaling", ["CreateOrUpdateTags", "DeleteTags"]), [
      regionalArn("autoscaling", "autoScalingGroup:*:autoScalingGroupName/eks-*"),
    ]),
    allow(
      "Clusters",
      of("eks", [
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
      eksArns(clusters),
    ),
    allow(
      "GrantToRoles",
      boundary === undefined ? [...GRANTS, "iam:DeleteRolePermissionsBoundary"] : GRANTS,
      roles,
      boundary === undefined ? undefined : { StringEquals: { "iam:PermissionsBoundary": boundary } },
    ),
    allow(
      "Roles",
      of("iam", [
        "DeleteRole",
        "TagRole",
        "UntagRole",
        "UpdateAssumeRolePolicy",
        "UpdateRole",
        "UpdateRoleDescription",
      ]),
      roles,
    ),
    allow("PassRoles", ["iam:PassRole"], roles, {
      StringEquals: {
        "iam:PassedToService": ["ec2.amazonaws.com", "eks.amazonaws.com", "pods.eks.amazonaws.com"],
      },
    }),
    allow(
      "TrustOfClusters",
      of("iam", [
        "CreateOpenIDConnectProvider",
        "DeleteOpenIDConnectProvider",
        "TagOpenIDConnectProvider",
        "UntagOpenIDConnectProvider",
        "UpdateOpenIDConnectProviderThumbprint",
      ]),
      [iamArn("oidc-provider/oidc.eks.*")],
    ),
    allow("ServiceLinkedRoles", ["iam:CreateServiceLinkedRole"], [iamArn("role/aws-service-role/*")], {
      StringEquals: {
        "iam:AWSServiceName": ["autoscaling.amazonaws.com", "eks-nodegroup.amazonaws.com", "eks.amazonaws.com"],
      },
    }),
    // IAM has no resource-level permissions for these.
    allow("Create", ["eks:CreateCluster", "kms:CreateKey"], ["*"], IN_REGION),
    allow(
      "Keys",
      of("kms", [
        "CreateAlias",
        "CreateGrant",
        "DeleteAlias",
        "EnableKeyRotation",
        "RevokeGrant",
        "ScheduleKeyDeletion",
        "TagResource",
        "UntagResource",
        "UpdateAlias",
        "UpdateKeyDescription",
      ]),
      [
        regionalArn("kms", "key/*"),
        regionalArn("kms", `alias/${clusters}*`),
        regionalArn("kms", `alias/eks/${clusters}*`),
      ],
    ),
    allow(
      "LogGroups",
      of("logs", ["CreateLogGroup", "DeleteLogGroup", "PutRetentionPolicy", "TagResource", "UntagResource"]),
      [regionalArn("logs", `log-group:/aws/eks/${clusters}*`)],
    ),
    // The queue with interruption notices for Karpenter.
    allow(
      "Interruptions",
      [
        ...of("sqs", ["CreateQueue", "DeleteQueue", "SetQueueAttributes", "TagQueue", "UntagQueue"]),
        ...of("events", ["DeleteRule", "PutRule", "PutTargets", "RemoveTargets", "TagResource", "UntagResource"]),
      ],
      [regionalArn("sqs", `${clusters}*`), regionalArn("events", `rule/${clusters}*`)],
    ),
  ];
}

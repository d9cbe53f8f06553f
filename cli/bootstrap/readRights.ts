import { allow, eksArns, regionalArn, iamArn, IN_REGION, of, type PolicyStatement } from "./statement";

/**
 * Permissions to read what stacks created, but no content of buckets, queues and databases. `clusters`: prefix of the
 * names of clusters, and so of their roles and log groups.
 */
export function readRights(clusters: string): PolicyStatement[] {
  return [
    allow(
      "Describe",
      [
        "aps:DescribeWorkspace",
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeTags",
        "ec2:Describe*",
        "ec2:GetEbsDefaultKmsKeyId",
        "eks:DescribeAddonConfiguration",
        "eks:DescribeAddonVersions",
        "eks:DescribeClusterVersions",
        "eks:ListAccessPolicies",
        "eks:ListClusters",
        "elasticfilesystem:Describe*",
        "kms:ListAliases",
        "logs:DescribeLogGroups",
        "tag:GetResources",
      ],
      ["*"],
      IN_REGION,
    ),
    allow(
      "ReadClusters",
      of("eks", [
        "AccessKubernetesApi",
        "DescribeAccessEntry",
        "DescribeAddon",
        "DescribeCluster",
        "DescribeNodegroup",
        "DescribePodIdentityAssociation",
        "DescribeUpdate",
        "ListAccessEntries",
        "ListAddons",
        "ListAssociatedAccessPolicies",
        "ListInsights",
        "ListNodegroups",
        "ListPodIdentityAssociations",
        "ListTagsForResource",
        "ListUpdates",
      ]),
      eksArns(clusters),
    ),
    allow(
      "ReadRoles",
      of("iam", [
        "GetRole",
        "GetRolePolicy",
        "ListAttachedRolePolicies",
        "ListInstanceProfilesForRole",
        "ListRolePolicies",
        "ListRoleTags",
      ]),
      [iamArn(`role/${clusters}*`), iamArn("role/aws-service-role/*")],
    ),
    allow("ReadTrustOfClusters", of("iam", ["GetOpenIDConnectProvider", "ListOpenIDConnectProviderTags"]), [
      iamArn("oidc-provider/oidc.eks.*"),
    ]),
    // The provider of an existing cluster is found by its URL.
    allow("FindTrustOfClusters", ["iam:ListOpenIDConnectProviders"], ["*"]),
    allow(
      "ReadKeys",
      of("kms", ["DescribeKey", "GetKeyPolicy", "GetKeyRotationStatus", "ListGrants", "ListResourceTags"]),
      [regionalArn("kms", "key/*")],
    ),
    allow("ReadLogGroups", ["logs:ListTagsForResource"], [regionalArn("logs", `log-group:/aws/eks/${clusters}*`)]),
    allow(
      "ReadInterruptions",
      [
        ...of("sqs", ["GetQueueAttributes", "GetQueueUrl", "ListQueueTags"]),
        ...of("events", ["DescribeRule", "ListTagsForResource", "ListTargetsByRule"]),
      ],
      [regionalArn("sqs", `${clusters}*`), regionalArn("events", `rule/${clusters}*`)],
    ),
    allow(
      "ReadImagesOfNodes",
      ["ssm:GetParameter"],
      ["arn:${AWS::Partition}:ssm:${AWS::Region}::parameter/aws/service/*"],
    ),
  ];
}

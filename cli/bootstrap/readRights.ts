import { regionalArn, iamArn, IN_REGION, of, type PolicyStatement } from "./statement";

/**
 * Permissions to read what stacks created, but no content of buckets, queues and databases. `clusters`: prefix of the
 * names of clusters, and so of their roles and log groups.
 */
export function readRights(clusters: string): PolicyStatement[] {
  return [
    {
      Sid: "Describe",
      Effect: "Allow",
      Action: [
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeTags",
        "ec2:Describe*",
        "eks:DescribeAddonConfiguration",
        "eks:DescribeAddonVersions",
        "eks:DescribeClusterVersions",
        "eks:ListAccessPolicies",
        "eks:ListClusters",
        "kms:ListAliases",
        "logs:DescribeLogGroups",
        "tag:GetResources",
      ],
      Resource: ["*"],
      Condition: IN_REGION,
    },
    {
      Sid: "ReadClusters",
      Effect: "Allow",
      Action: of("eks", [
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
      Resource: [`${clusters}*`].flatMap((name) => [
        regionalArn("eks", `cluster/${name}`),
        regionalArn("eks", `nodegroup/${name}/*/*`),
        regionalArn("eks", `addon/${name}/*/*`),
        regionalArn("eks", `access-entry/${name}/*/*/*/*`),
        regionalArn("eks", `podidentityassociation/${name}/*`),
      ]),
    },
    {
      Sid: "ReadRoles",
      Effect: "Allow",
      Action: of("iam", [
        "GetRole",
        "GetRolePolicy",
        "ListAttachedRolePolicies",
        "ListInstanceProfilesForRole",
        "ListRolePolicies",
        "ListRoleTags",
      ]),
      Resource: [
        iamArn(`role/${clusters}*`),
        iamArn("role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot"),
      ],
    },
    {
      Sid: "ReadTrustOfClusters",
      Effect: "Allow",
      Action: of("iam", ["GetOpenIDConnectProvider", "ListOpenIDConnectProviderTags"]),
      Resource: [iamArn("oidc-provider/oidc.eks.*")],
    },
    {
      // The provider of an existing cluster is found by its URL.
      Sid: "FindTrustOfClusters",
      Effect: "Allow",
      Action: ["iam:ListOpenIDConnectProviders"],
      Resource: ["*"],
    },
    {
      Sid: "ReadKeys",
      Effect: "Allow",
      Action: of("kms", ["DescribeKey", "GetKeyPolicy", "GetKeyRotationStatus", "ListResourceTags"]),
      Resource: [regionalArn("kms", "key/*")],
    },
    {
      Sid: "ReadLogGroups",
      Effect: "Allow",
      Action: ["logs:ListTagsForResource"],
      Resource: [regionalArn("logs", `log-group:/aws/eks/${clusters}*`)],
    },
    {
      Sid: "ReadInterruptions",
      Effect: "Allow",
      Action: [
        ...of("sqs", ["GetQueueAttributes", "GetQueueUrl", "ListQueueTags"]),
        ...of("events", ["DescribeRule", "ListTagsForResource", "ListTargetsByRule"]),
      ],
      Resource: [regionalArn("sqs", `${clusters}*`), regionalArn("events", `rule/${clusters}*`)],
    },
    {
      Sid: "ReadImagesOfNodes",
      Effect: "Allow",
      Action: ["ssm:GetParameter"],
      Resource: ["arn:${AWS::Partition}:ssm:${AWS::Region}::parameter/aws/service/*"],
    },
  ];
}

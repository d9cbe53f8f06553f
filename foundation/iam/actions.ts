/** Classifies IAM actions. Source: the AWS Service Authorization Reference. */

/** Whether an IAM pattern matches a text. Case-insensitive; `*` and `?` match anywhere. */
function covers(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "i").test(text);
}

const hasWildcard = (text: string): boolean => /[*?]/.test(text);

/** Actions that let a principal escalate its privileges or assume those of others. */
const ESCALATING = [
  "eks:AssociateAccessPolicy",
  "eks:CreateAccessEntry",
  "iam:AddUserToGroup",
  "iam:AttachGroupPolicy",
  "iam:AttachRolePolicy",
  "iam:AttachUserPolicy",
  "iam:CreateAccessKey",
  "iam:CreateLoginProfile",
  "iam:CreateOpenIDConnectProvider",
  "iam:CreatePolicyVersion",
  "iam:CreateSAMLProvider",
  "iam:DeleteRolePermissionsBoundary",
  "iam:PassRole",
  "iam:PutGroupPolicy",
  "iam:PutRolePolicy",
  "iam:PutUserPolicy",
  "iam:SetDefaultPolicyVersion",
  "iam:UpdateAssumeRolePolicy",
  "iam:UpdateLoginProfile",
  "iam:UpdateSAMLProvider",
  "sts:AssumeRole",
  "organizations:LeaveOrganization",
  "sso:CreateAccountAssignment",
  "sso:PutInlinePolicyToPermissionSet",
];

/** Actions that look read-only but return data, credentials or keys. */
const DATA = [
  "apigateway:GetApiKey",
  "appconfig:GetConfiguration",
  "appconfigdata:GetLatestConfiguration",
  "athena:GetQueryResults",
  "athena:GetQueryResultsStream",
  "backup:GetRecoveryPointRestoreMetadata",
  "codeartifact:GetAuthorizationToken",
  "codeartifact:GetPackageVersionAsset",
  "codecommit:GetBlob",
  "codecommit:GetFile",
  "cognito-identity:GetCredentialsForIdentity",
  "cognito-identity:GetOpenIdTokenForDeveloperIdentity",
  "dynamodb:BatchGetItem",
  "dynamodb:GetItem",
  "dynamodb:GetRecords",
  "ebs:GetSnapshotBlock",
  "ec2:GetConsoleOutput",
  "ec2:GetConsoleScreenshot",
  "ec2:GetPasswordData",
  "ecr:BatchGetImage",
  "ecr:GetDownloadUrlForLayer",
  "glacier:GetJobOutput",
  "glue:GetConnection",
  "glue:GetConnections",
  "kinesis:GetRecords",
  "kinesisvideo:GetMedia",
  "lakeformation:GetDataAccess",
  "lambda:GetFunction",
  "lambda:GetFunctionConfiguration",
  "lightsail:GetInstanceAccessDetails",
  "lightsail:GetRelationalDatabaseMasterUserPassword",
  "logs:GetLogEvents",
  "logs:GetLogRecord",
  "logs:GetQueryResults",
  "rds:DownloadCompleteDBLogFile",
  "redshift:GetClusterCredentials",
  "redshift:GetClusterCredentialsWithIAM",
  "redshift-data:GetStatementResult",
  "s3:GetObject",
  "s3:GetObjectTorrent",
  "s3:GetObjectVersion",
  "s3-object-lambda:GetObject",
  "secretsmanager:BatchGetSecretValue",
  "secretsmanager:GetSecretValue",
  "ssm:GetParameter",
  "ssm:GetParameters",
  "ssm:GetParametersByPath",
  "ssm:GetParameterHistory",
  "sso:GetRoleCredentials",
  "sts:GetFederationToken",
  "sts:GetSessionToken",
];

/** Actions that change nothing. Most of them don't support resource-level permissions. */
const READ_ONLY = /^[a-z0-9-]+:(Describe|Get|List|View|BatchGet|Lookup|Search|Check)[A-Za-z*?]*$/i;
/**
 * Actions for which IAM knows no resources, or that only append, as AWS' documents for agents have them: registries,
 * traces, metrics, logs, the SSM agent, the agent of Pod Identity.
 */
const WITHOUT_RESOURCES = /^(ecr(-public)?:GetAuthorizationToken|sts:GetServiceBearerToken|xray:Put(TraceSegments|TelemetryRecords)|cloudwatch:PutMetricData|aps:RemoteWrite|logs:(Create(LogGroup|LogStream)|PutLogEvents|PutRetentionPolicy)|ssm:(UpdateInstance(Information|AssociationStatus)|UpdateAssociationStatus|Put(Inventory|ComplianceItems|ConfigurePackageResult))|ssmmessages:(Create|Open)(Control|Data)Channel|ec2messages:((Acknowledge|Delete|Fail)Message|GetMessages|SendReply)|eks-auth:AssumeRoleForPodIdentity|kms:GenerateRandom)$/i; // prettier-ignore

/** Whether an action matches all actions of a service, or of any service: `*`, `S3:*`, `*:*`, `s3:**`, `s3:?*`. */
export function isWholeService(action: string): boolean {
  const [service = "", name] = action.split(":");
  return name === undefined
    ? hasWildcard(action)
    : hasWildcard(service) || (/^[*?]+$/.test(name) && name.includes("*"));
}

/** The first privilege-escalating action that a wildcard pattern matches; undefined for a pattern without wildcards. */
export const escalationIn = (pattern: string): string | undefined =>
  hasWildcard(pattern) ? ESCALATING.find((action) => covers(pattern, action)) : undefined;

/** Whether an action may be allowed on all resources: it reads metadata and no data. */
export const isHarmless = (pattern: string): boolean =>
  WITHOUT_RESOURCES.test(pattern) || (READ_ONLY.test(pattern) && !DATA.some((action) => covers(pattern, action)));

/** Whether an action by its exact name makes a principal of one's choice an administrator of a cluster of EKS. */
export const givesClusterAccess = (action: string): boolean =>
  /^eks:(AssociateAccessPolicy|CreateAccessEntry)$/i.test(action);

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
  "iam:AddUserToGroup",
  "iam:AttachGroupPolicy",
  "iam:AttachRolePolicy",
  "iam:AttachUserPolicy",
  "iam:CreateAccessKey",
  "iam:CreateLoginProfile",
  "iam:CreatePolicyVersion",
  "iam:DeleteRolePermissionsBoundary",
  "iam:PassRole",
  "iam:PutGroupPolicy",
  "iam:PutRolePolicy",
  "iam:PutUserPolicy",
  "iam:SetDefaultPolicyVersion",
  "iam:UpdateAssumeRolePolicy",
  "iam:UpdateLoginProfile",
  "sts:AssumeRole",
  "organizations:LeaveOrganization",
];

/** Actions that look read-only but return data, credentials or keys. */
const DATA = [
  "apigateway:GetApiKey",
  "athena:GetQueryResults",
  "backup:GetRecoveryPointRestoreMetadata",
  "codecommit:GetBlob",
  "codecommit:GetFile",
  "cognito-identity:GetCredentialsForIdentity",
  "cognito-identity:GetOpenIdTokenForDeveloperIdentity",
  "dynamodb:BatchGetItem",
  "dynamodb:GetItem",
  "dynamodb:GetRecords",
  "ec2:GetConsoleOutput",
  "ec2:GetConsoleScreenshot",
  "ec2:GetPasswordData",
  "ecr:BatchGetImage",
  "ecr:GetDownloadUrlForLayer",
  "glacier:GetJobOutput",
  "kinesis:GetRecords",
  "kinesisvideo:GetMedia",
  "lakeformation:GetDataAccess",
  "lambda:GetFunction",
  "logs:GetLogEvents",
  "logs:GetLogRecord",
  "logs:GetQueryResults",
  "rds:DownloadCompleteDBLogFile",
  "redshift:GetClusterCredentials",
  "redshift:GetClusterCredentialsWithIAM",
  "redshift-data:GetStatementResult",
  "s3:GetObject",
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
/** Actions without resource-level permissions that grant nothing beyond what other statements guard. */
const WITHOUT_RESOURCES = ["ecr:GetAuthorizationToken", "ecr-public:GetAuthorizationToken", "sts:GetServiceBearerToken", "xray:PutTraceSegments", "xray:PutTelemetryRecords"]; // prettier-ignore

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
  WITHOUT_RESOURCES.some((action) => action.toLowerCase() === pattern.toLowerCase()) ||
  (READ_ONLY.test(pattern) && !DATA.some((action) => covers(pattern, action)));

/** What the actions of IAM mean; source: the service authorization reference of AWS. */

/** Whether a pattern of IAM covers a text: `*` and `?` anywhere, capital or small. */
export function covers(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "i").test(text);
}

const hasWildcard = (text: string): boolean => /[*?]/.test(text);

/** With one of these a principal gives itself any rights, or takes those of others. */
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

/** These look as if they only looked, and give data, credentials or keys. */
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

/** Actions that change nothing, for most of which AWS offers no resources. */
const LOOKS = /^[a-z0-9-]+:(Describe|Get|List|View|BatchGet|Lookup|Search|Check)[A-Za-z*?]*$/i;
/** For these AWS offers no resources, and they give nothing that other statements don't guard. */
const WITHOUT_RESOURCES = ["ecr:GetAuthorizationToken", "ecr-public:GetAuthorizationToken", "sts:GetServiceBearerToken", "xray:PutTraceSegments", "xray:PutTelemetryRecords"]; // prettier-ignore

/** Whether an action is all of a service's, or of any service's: `*`, `S3:*`, `*:*`, `s3:**`, `s3:?*`. */
export function isWholeService(action: string): boolean {
  const [service = "", name] = action.split(":");
  return name === undefined
    ? hasWildcard(action)
    : hasWildcard(service) || (/^[*?]+$/.test(name) && name.includes("*"));
}

/** The first action that a pattern covers by which rights are gained; undefined for one that is named in full. */
export const escalationIn = (pattern: string): string | undefined =>
  hasWildcard(pattern) ? ESCALATING.find((action) => covers(pattern, action)) : undefined;

/** Whether an action may be allowed on everything: it shows how things are, and not what is in them. */
export const isHarmless = (pattern: string): boolean =>
  WITHOUT_RESOURCES.some((action) => action.toLowerCase() === pattern.toLowerCase()) ||
  (LOOKS.test(pattern) && !DATA.some((action) => covers(pattern, action)));

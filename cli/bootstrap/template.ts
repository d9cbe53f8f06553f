import { readRights } from "./readRights";
import { iamArn, type PolicyStatement } from "./statement";
import { writeRights } from "./writeRights";

export interface BootstrapOptions {
  /** `owner/name` on GitHub; its jobs may assume the roles. */
  readonly repository: string;
  /** Prefix of the names of all resources. */
  readonly name: string;
  /** Prefix of the names of clusters. */
  readonly clusters: string;
  /** GitHub environments whose jobs deploy. */
  readonly deploy: readonly string[];
  /** GitHub environments whose jobs preview. */
  readonly preview: readonly string[];
  /** Whether the account already has its only possible identity provider for GitHub. */
  readonly existingTrust: boolean;
  /** ARN of the policy that bounds each role that a deployment creates. Default: none. */
  readonly permissionsBoundary?: string;
}

const ISSUER = "token.actions.githubusercontent.com";
const TRUST = iamArn(`oidc-provider/${ISSUER}`);
const BUCKET_ARN = { "Fn::GetAtt": ["StateBucket", "Arn"] };
const KEY_ARN = { "Fn::GetAtt": ["SecretsKey", "Arn"] };

type Template = Readonly<Record<string, unknown>>;

/**
 * Builds the CloudFormation template with the resources that CI on GitHub needs to preview and deploy stacks on AWS.
 * Pure.
 */
export function bootstrapTemplate(options: BootstrapOptions): Template {
  const { name, clusters, existingTrust, permissionsBoundary: boundary } = options;
  return {
    AWSTemplateFormatVersion: "2010-09-09",
    Description: `State, secrets key and roles of ${name}, for ${options.repository}`,
    Resources: {
      SecretsKey: key(name),
      SecretsKeyAlias: {
        Type: "AWS::KMS::Alias",
        Properties: { AliasName: `alias/${name}-state`, TargetKeyId: { Ref: "SecretsKey" } },
      },
      StateBucket: bucket(name),
      StateBucketPolicy: bucketPolicy(),
      ...(existingTrust ? {} : { GitHub: trust() }),
      PreviewRole: role(options, "preview", options.preview, [...state("read"), ...substituted(readRights(clusters))]),
      DeployRole: role(options, "deploy", options.deploy, [
        ...state("write"),
        ...substituted([...readRights(clusters), ...writeRights(clusters, boundary)]),
        KEEP_KEY,
      ]),
    },
    Outputs: {
      BackendUrl: { Description: "PULUMI_BACKEND_URL", Value: sub("s3://${StateBucket}?region=${AWS::Region}") },
      SecretsProvider: {
        Description: "pulumi stack init --secrets-provider",
        Value: sub(`awskms://alias/${name}-state?region=\${AWS::Region}`),
      },
      PreviewRole: { Description: "AWS_PREVIEW_ROLE", Value: { "Fn::GetAtt": ["PreviewRole", "Arn"] } },
      DeployRole: { Description: "AWS_DEPLOY_ROLE", Value: { "Fn::GetAtt": ["DeployRole", "Arn"] } },
      ...(boundary === undefined
        ? {}
        : { PermissionsBoundary: { Description: "stackyard:cluster.roles.permissionsBoundary", Value: boundary } }),
    },
  };
}

/**
 * Deployments may change the keys of clusters, whose ARNs are unknown in advance. This key must be protected from them:
 * it decrypts the state.
 */
const KEEP_KEY = {
  Sid: "KeepSecretsKey",
  Effect: "Deny",
  Action: ["kms:DeleteAlias", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:UpdateAlias"],
  Resource: [KEY_ARN],
};

const sub = (text: string): unknown => (text.includes("${") ? { "Fn::Sub": text } : text);

/**
 * State and key survive the deletion of the CloudFormation stack, because no stack can be changed or read without them.
 */
const KEPT = { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" };

const key = (name: string): unknown => ({
  Type: "AWS::KMS::Key",
  ...KEPT,
  Properties: {
    Description: `Secrets and state of ${name}`,
    EnableKeyRotation: true,
    KeyPolicy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "Account",
          Effect: "Allow",
          Principal: { AWS: sub(iamArn("root")) },
          Action: "kms:*",
          Resource: "*",
        },
      ],
    },
  },
});

const bucket = (name: string): unknown => ({
  Type: "AWS::S3::Bucket",
  ...KEPT,
  Properties: {
    BucketName: sub(`${name}-state-\${AWS::AccountId}-\${AWS::Region}`),
    VersioningConfiguration: { Status: "Enabled" },
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: KEY_ARN },
        },
      ],
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: {
      Rules: [{ Id: "old-versions", Status: "Enabled", NoncurrentVersionExpiration: { NoncurrentDays: 90 } }],
    },
  },
});

const bucketPolicy = (): unknown => ({
  Type: "AWS::S3::BucketPolicy",
  Properties: {
    Bucket: { Ref: "StateBucket" },
    PolicyDocument: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "TlsOnly",
          Effect: "Deny",
          Principal: "*",
          Action: "s3:*",
          Resource: [BUCKET_ARN, sub("${StateBucket.Arn}/*")],
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        },
      ],
    },
  },
});

const trust = (): unknown => ({
  Type: "AWS::IAM::OIDCProvider",
  ...KEPT,
  Properties: { Url: `https://${ISSUER}`, ClientIdList: ["sts.amazonaws.com"] },
});

function role(
  { name, repository, existingTrust }: BootstrapOptions,
  purpose: string,
  environments: readonly string[],
  statements: readonly unknown[],
): unknown {
  return {
    Type: "AWS::IAM::Role",
    ...(existingTrust ? {} : { DependsOn: "GitHub" }),
    Properties: {
      RoleName: `${name}-${purpose}`,
      // In another path than the roles that stacks create, so that a deployment can't change its own role.
      Path: "/ci/",
      MaxSessionDuration: 3600 * 2,
      AssumeRolePolicyDocument: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { Federated: sub(TRUST) },
            Action: "sts:AssumeRoleWithWebIdentity",
            Condition: {
              StringEquals: {
                [`${ISSUER}:aud`]: "sts.amazonaws.com",
                [`${ISSUER}:sub`]: environments.map((each) => `repo:${repository}:environment:${each}`),
              },
            },
          },
        ],
      },
      Policies: [{ PolicyName: purpose, PolicyDocument: { Version: "2012-10-17", Statement: statements } }],
    },
  };
}

/** A preview takes no Pulumi lock and writes no history. It does write the locks of stacks that pull requests hold. */
function state(access: "read" | "write"): unknown[] {
  const objects = access === "read" ? ["s3:GetObject"] : ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"];
  const keys = ["kms:Decrypt", ...(access === "read" ? [] : ["kms:Encrypt"]), "kms:GenerateDataKey"];
  const locks = {
    Sid: "Locks",
    Effect: "Allow",
    Action: ["s3:DeleteObject", "s3:PutObject"],
    Resource: [sub("${StateBucket.Arn}/.pulumi/stackyard/locks/*")],
  };
  return [
    {
      Sid: "StateBucket",
      Effect: "Allow",
      Action: ["s3:GetBucketLocation", "s3:ListBucket"],
      Resource: [BUCKET_ARN],
    },
    { Sid: "State", Effect: "Allow", Action: objects, Resource: [sub("${StateBucket.Arn}/*")] },
    ...(access === "read" ? [locks] : []),
    { Sid: "Secrets", Effect: "Allow", Action: keys, Resource: [KEY_ARN] },
  ];
}

const substituted = (statements: readonly PolicyStatement[]): unknown[] =>
  statements.map(({ Resource, Condition, ...rest }) => ({
    ...rest,
    Resource: Resource.map(sub),
    ...(Condition && { Condition: conditionOf(Condition) }),
  }));

const conditionOf = (condition: NonNullable<PolicyStatement["Condition"]>): unknown =>
  Object.fromEntries(
    Object.entries(condition).map(([operator, keys]) => [
      operator,
      Object.fromEntries(
        Object.entries(keys).map(([name, values]) => [name, typeof values === "string" ? sub(values) : values]),
      ),
    ]),
  );

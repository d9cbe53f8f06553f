import { managedFindings, permissionFindings } from "../../foundation/iam/permissions";
import { principalFindings, trustFindings } from "../../foundation/iam/principals";
import { recordsOf } from "../../foundation/json/parts";
import type { Asked, Finding, Rule } from "../rule";

type Check = (props: Asked["props"]) => Finding[];

const permissions =
  (key: string): Check =>
  (props) =>
    permissionFindings(props[key]);
const principals =
  (key: string, what: string): Check =>
  (props) =>
    principalFindings(props[key], `the principals that may use the ${what}`);
const managed =
  (key: string): Check =>
  (props) =>
    managedFindings(props[key]);

/** What to check, by resource type. */
const CHECKS: Readonly<Record<string, Check>> = {
  "aws:iam/policy:Policy": permissions("policy"),
  "aws:iam/rolePolicy:RolePolicy": permissions("policy"),
  "aws:iam/userPolicy:UserPolicy": permissions("policy"),
  "aws:iam/groupPolicy:GroupPolicy": permissions("policy"),
  "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": permissions("inlinePolicy"),
  "aws:ssoadmin/managedPolicyAttachment:ManagedPolicyAttachment": managed("managedPolicyArn"),
  "aws:iam/role:Role": (props) => [
    ...trustFindings(props["assumeRolePolicy"]),
    ...recordsOf(props["inlinePolicies"]).flatMap(({ policy }) => permissionFindings(policy)),
    ...managedFindings(props["managedPolicyArns"]),
  ],
  "aws:iam/policyAttachment:PolicyAttachment": managed("policyArn"),
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": managed("policyArn"),
  "aws:iam/userPolicyAttachment:UserPolicyAttachment": managed("policyArn"),
  "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": managed("policyArn"),
  "aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive": managed("policyArns"),
  "aws:s3/bucket:Bucket": principals("policy", "bucket"),
  "aws:s3/bucketV2:BucketV2": principals("policy", "bucket"),
  "aws:s3/bucketPolicy:BucketPolicy": principals("policy", "bucket"),
  "aws:kms/key:Key": principals("policy", "key"),
  "aws:kms/keyPolicy:KeyPolicy": principals("policy", "key"),
  "aws:sqs/queue:Queue": principals("policy", "queue"),
  "aws:sqs/queuePolicy:QueuePolicy": principals("policy", "queue"),
  "aws:sns/topic:Topic": principals("policy", "topic"),
  "aws:sns/topicPolicy:TopicPolicy": principals("policy", "topic"),
  "aws:ecr/repositoryPolicy:RepositoryPolicy": principals("policy", "repository"),
  "aws:secretsmanager/secretPolicy:SecretPolicy": principals("policy", "secret"),
};

export const iam: Rule = {
  name: "no-wildcard-iam",
  description:
    "IAM policies name actions, resources and principals; only read-only actions on metadata may have all resources.",
  check: ({ type, props }) => (Object.hasOwn(CHECKS, type) ? (CHECKS[type]?.(props) ?? []) : []),
};

import { managedFindings, permissionFindings } from "../../foundation/iam/permissions";
import { principalFindings, trustFindings } from "../../foundation/iam/principals";
import { parsedDocument, stringsOf } from "../../foundation/iam/document";
import { at, recordsOf, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Asked, type Finding, type Rule } from "../rule";
import { RESOURCE_POLICIES } from "./resourcePolicies";

type Check = (props: Asked["props"]) => Finding[];

const permissions =
  (key: string): Check =>
  (props) =>
    permissionFindings(props[key]);
const managed =
  (key: string): Check =>
  (props) =>
    managedFindings(props[key]);

/** A resource with a principal instead of a document. `conditions`: what its other properties demand, by condition keys. */
const principal =
  (what: string, conditions: (props: Asked["props"]) => object): Check =>
  (props) => {
    const statement = { Effect: "Allow", Principal: props["principal"], Condition: { StringLike: conditions(props) } };
    const found = principalFindings({ Statement: statement }, `the principals that may use the ${what}`);
    return found.flatMap(({ message }) => wholeFinding(message));
  };

/** What to check, by resource type. Policies of resources are in {@link RESOURCE_POLICIES}. */
const CHECKS: Readonly<Record<string, Check>> = {
  "aws:iam/policy:Policy": permissions("policy"),
  "aws:iam/rolePolicy:RolePolicy": permissions("policy"),
  "aws:iam/userPolicy:UserPolicy": permissions("policy"),
  "aws:iam/groupPolicy:GroupPolicy": permissions("policy"),
  "aws:iot/policy:Policy": permissions("policy"),
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
  "aws:iam/userPolicyAttachmentsExclusive:UserPolicyAttachmentsExclusive": managed("policyArns"),
  "aws:iam/groupPolicyAttachmentsExclusive:GroupPolicyAttachmentsExclusive": managed("policyArns"),
  "aws:cloudwatch/eventPermission:EventPermission": principal("event bus", ({ condition }) => ({
    [textOr(at(condition, "key"), "")]: at(condition, "value"),
  })),
  "aws:lambda/layerVersionPermission:LayerVersionPermission": principal("layer", (props) => ({
    "aws:PrincipalOrgID": props["organizationId"],
  })),
  "aws:lambda/permission:Permission": principal("function", (props) => ({
    "aws:PrincipalOrgID": props["principalOrgId"],
    "aws:SourceAccount": props["sourceAccount"],
    "aws:SourceArn": props["sourceArn"],
    "lambda:EventSourceToken": props["eventSourceToken"],
  })),
  "aws:opensearch/serverlessAccessPolicy:ServerlessAccessPolicy": ({ policy }) =>
    collectionRules(policy).flatMap((rule) =>
      stringsOf(rule["Principal"]).some((one) => /^\*+$/.test(one))
        ? wholeFinding("found the principal *; expected the principals that may use the collection")
        : [],
    ),
};

/** The rules of a policy of OpenSearch Serverless, which is a list. */
function collectionRules(policy: unknown): readonly Asked["props"][] {
  const parsed = parsedDocument(policy);
  return recordsOf(Array.isArray(parsed) ? parsed : [parsed]);
}

export const iam: Rule = {
  name: "no-wildcard-iam",
  description:
    "IAM policies name actions, resources and principals; only read-only actions on metadata may have all resources.",
  check({ type, props }) {
    const policy = Object.hasOwn(RESOURCE_POLICIES, type) ? RESOURCE_POLICIES[type] : undefined;
    if (policy !== undefined)
      return principalFindings(at(props, ...policy.at.split(".")), `the principals that may use the ${policy.of}`);
    return Object.hasOwn(CHECKS, type) ? (CHECKS[type]?.(props) ?? []) : [];
  },
};

import { textOr } from "../json/parts";
import type { Finding } from "./finding";
import { escalationIn, givesClusterAccess, isHarmless, isWholeService } from "./actions";
import { isUsual } from "./controllers";
import {
  allows,
  conditionsOf,
  demands,
  restricts,
  statementName,
  statementsOf,
  stringsOf,
  type Statement,
} from "./document";
import { isEverything } from "./resources";

/** Condition keys for tags. A condition on one restricts even with `*` as its value: it demands the tag. */
const TAGS = /^[a-z0-9-]+:re(source|quest)tag\/./;
/** Other condition keys that limit a statement on all resources to some of them. */
const SCOPES = /^(aws:resource(account|orgid|orgpaths)|cloudwatch:namespace|kms:viaservice|kms:encryptioncontext:.+|(ec2|elasticloadbalancing):createaction|ec2:vpc|ecs:cluster|elasticfilesystem:accesspointarn|iam:(awsservicename|permissionsboundary|policyarn)|route53:changeresourcerecordsets.+)$/; // prettier-ignore
/** Condition keys that limit who becomes what in a cluster of EKS. */
const ACCESS = /^eks:(principalarn|policyarn|kubernetesgroups|accessscope|accessentrytype)$/;

/** Actions that give a user rights. */
const GRANTS = /^iam:(AddUserToGroup|(Attach|Put)UserPolicy)$/i;

const isScoped = (statement: Statement): boolean =>
  conditionsOf(statement).some((condition) =>
    TAGS.test(condition.key) ? demands(condition) : SCOPES.test(condition.key) && restricts(condition),
  );

/** Findings for a permission policy: wildcard actions, privilege escalation, and actions that need resources by ARN. */
export function permissionFindings(document: unknown): Finding[] {
  return statementsOf(document).flatMap((statement, index): Finding[] => {
    const message = allows(statement) ? faultOf(statement) : undefined;
    return message === undefined ? [] : [{ part: statementName(statement, index), message }];
  });
}

function faultOf(statement: Statement): string | undefined {
  if (statement["NotAction"] !== undefined) return "found NotAction, which allows all others; expected actions by name";
  const actions = stringsOf(statement["Action"]);
  const wide = actions.find(isWholeService);
  if (wide !== undefined) return `found the action ${wide}; expected actions by name`;
  for (const action of actions) {
    const gained = escalationIn(action);
    if (gained !== undefined) return `found the action ${action}, which covers ${gained}; expected actions by name`;
  }
  if (statement["NotResource"] !== undefined)
    return "found NotResource, which allows all others; expected resources by ARN";
  const access = actions.find(givesClusterAccess);
  if (access !== undefined && !conditionsOf(statement).some((one) => ACCESS.test(one.key) && restricts(one)))
    return `found ${access}, which makes any principal an administrator of the cluster; expected a condition on eks:principalArn, eks:policyArn or eks:kubernetesGroups`;
  if (isScoped(statement)) return undefined;
  const own = actions.find((action) => GRANTS.test(action));
  if (own !== undefined && stringsOf(statement["Resource"]).some((resource) => resource.includes("${aws:username}")))
    return `found ${own} on the caller itself, who gets any right by it; expected another resource`;
  for (const resource of stringsOf(statement["Resource"]).filter(isEverything)) {
    const harmful = actions.filter((action) => !isHarmless(action) && !isUsual(action, resource));
    if (harmful.length > 0)
      return `found the resource ${resource} for ${harmful.join(", ")}; expected resources by ARN`;
  }
  return undefined;
}

/** Managed policies of AWS that grant full access, the data of all stores, or the right to grant permissions. */
const ADMINISTRATOR =
  /^arn:aws[a-z-]*:iam::aws:policy\/(.*\/)?(AdministratorAccess(-.+)?|PowerUserAccess|IAMFullAccess|AWSOrganizationsFullAccess|(System|Database|Network)Administrator|AWSSSOMasterAccountAdministrator|AmazonEKSFullAccess|Amazon(S3|EC2|DynamoDB|RDS|SQS)FullAccess|AWSLambda_FullAccess|SecretsManagerReadWrite|AWSKeyManagementServicePowerUser|AmazonEC2RoleforSSM|ReadOnlyAccess)$/; // prettier-ignore

export function managedFindings(arns: unknown): Finding[] {
  return stringsOf(arns)
    .filter((arn) => ADMINISTRATOR.test(arn))
    .map((arn) => ({ part: "", message: `found ${textOr(arn, "?")}; expected a policy with the needed actions` }));
}

import { textOr } from "../json/parts";
import type { Finding } from "./finding";
import { escalationIn, isHarmless, isWholeService } from "./actions";
import { allows, conditionsOf, statementName, restricts, statementsOf, stringsOf, type Statement } from "./document";

/** Whether a resource matches everything: `*`, `**`, `arn:aws:s3:::*`, `arn:*`. */
export function isEverything(resource: string): boolean {
  const parts = resource.split(":");
  if (parts.length < 6) return /^[*?]+$/.test(parts.at(-1) ?? "");
  return /^[*?]*\*[*?]*$/.test(parts.slice(5).join(":"));
}

/** Condition keys that limit a statement on all resources to some of them. */
const SCOPES = /^([a-z0-9-]+:resourcetag\/.+|aws:resource(account|orgid|orgpaths)|cloudwatch:namespace|kms:viaservice|kms:encryptioncontext:.+|ec2:vpc|ecs:cluster|elasticfilesystem:accesspointarn|iam:passedtoservice|route53:changeresourcerecordsets.+)$/; // prettier-ignore

const isScoped = (statement: Statement): boolean =>
  conditionsOf(statement).some((condition) => SCOPES.test(condition.key) && restricts(condition));

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
  const everything = stringsOf(statement["Resource"]).find(isEverything);
  const harmful = actions.filter((action) => !isHarmless(action));
  if (everything === undefined || harmful.length === 0 || isScoped(statement)) return undefined;
  return `found the resource ${everything} for ${harmful.join(", ")}; expected resources by ARN`;
}

/** Managed policies of AWS that grant full access or the right to grant permissions. */
const ADMINISTRATOR =
  /^arn:aws[a-z-]*:iam::aws:policy\/(.*\/)?(AdministratorAccess(-.+)?|PowerUserAccess|IAMFullAccess|AWSOrganizationsFullAccess|(System|Database|Network)Administrator|AWSSSOMasterAccountAdministrator|AmazonEKSFullAccess)$/; // prettier-ignore

export function managedFindings(arns: unknown): Finding[] {
  return stringsOf(arns)
    .filter((arn) => ADMINISTRATOR.test(arn))
    .map((arn) => ({ part: "", message: `found ${textOr(arn, "?")}; expected a policy with the needed actions` }));
}

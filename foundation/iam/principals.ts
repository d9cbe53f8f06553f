import type { Finding } from "./finding";
import {
  allows,
  conditionsOf,
  statementName,
  restricts,
  statementsOf,
  stringsOf,
  type Condition,
  type Statement,
} from "./document";
import { isObject } from "../json/isObject";

/** Condition keys that restrict the caller or its network. */
const CALLERS = /^(aws:(principalorgid|principalorgpaths|principalarn|principalaccount|sourceaccount|sourcearn|sourceorgid|sourceorgpaths|sourceowner|sourcevpc|sourcevpce|sourceip|vpcsourceip|userid)|s3:dataaccesspointaccount|kms:calleraccount|lambda:eventsourcetoken)$/; // prettier-ignore

const restricted = (statement: Statement, keys: RegExp): boolean =>
  conditionsOf(statement).some((condition) => keys.test(condition.key) && restricts(condition) && !isWorld(condition));

const isWorld = ({ values }: Condition): boolean => values.some((value) => /^(0\.0\.0\.0\/0|[0:]+\/0)$/.test(value));

const matchesEveryone = (principal: unknown): boolean =>
  [principal, ...Object.values(isObject(principal) ? principal : {})]
    .filter((each) => !isObject(each))
    .flatMap(stringsOf)
    .some((each) => /^\*+$/.test(each) || /^arn:[^:]*:iam::\*:/.test(each));

/** Findings for statements whose principal is everyone: trust policies, and policies of buckets, keys and queues. */
export function principalFindings(document: unknown, expected: string): Finding[] {
  return statementsOf(document).flatMap((statement, index): Finding[] => {
    if (!allows(statement)) return [];
    const part = statementName(statement, index);
    if (statement["NotPrincipal"] !== undefined)
      return [{ part, message: `found NotPrincipal, which permits all others; expected ${expected}` }];
    if (!matchesEveryone(statement["Principal"]) || restricted(statement, CALLERS)) return [];
    return [{ part, message: `found the principal *; expected ${expected}` }];
  });
}

/** Identity providers that issue tokens to anyone, so a trust policy needs a condition on the token's subject. */
const TOKENS = /oidc-provider\/|^(cognito-identity\.amazonaws\.com|accounts\.google\.com|www\.amazon\.com|graph\.facebook\.com)$/; // prettier-ignore

/** Findings for the trust policy of a role, including its conditions on tokens of an external issuer. */
export function trustFindings(document: unknown): Finding[] {
  return [
    ...principalFindings(document, "the principals that may assume the role"),
    ...statementsOf(document).flatMap((statement, index): Finding[] => {
      const principal = isObject(statement["Principal"]) ? statement["Principal"] : {};
      const federated = stringsOf(principal["Federated"]).filter((provider) => TOKENS.test(provider));
      if (!allows(statement) || federated.length === 0) return [];
      const message = tokenFault(conditionsOf(statement));
      return message === undefined ? [] : [{ part: statementName(statement, index), message }];
    }),
  ];
}

function tokenFault(conditions: readonly Condition[]): string | undefined {
  const subjects = conditions.filter(({ key }) => /:(sub|amr|job_workflow_ref)$/.test(key));
  const exact = subjects.filter(restricts);
  if (exact.length === 0)
    return "found no condition on the subject of the token; expected which tokens may assume the role";
  const wide = exact.filter(({ operator }) => /Like$/i.test(operator)).flatMap(({ values }) => values);
  const any = wide.find(matchesAnySubject);
  return any === undefined ? undefined : `found the subject ${any}; expected subjects by name`;
}

/**
 * Whether a subject matches every identity of its provider: `system:serviceaccount:*:*`, `system:serviceaccount:*`,
 * `repo:*`.
 */
function matchesAnySubject(subject: string): boolean {
  const [kind = "", realm = "", ...rest] = subject.split(":");
  if (/[*?]/.test(kind)) return true;
  if (kind === "system") return rest.length === 0 || (/^\*+$/.test(rest[0] ?? "") && /^\**$/.test(rest[1] ?? ""));
  return /^\*/.test(realm);
}

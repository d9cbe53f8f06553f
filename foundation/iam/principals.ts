import type { Finding } from "./finding";
import {
  allows,
  conditionsOf,
  demands,
  restricts,
  statementName,
  statementsOf,
  stringsOf,
  type Condition,
  type Statement,
} from "./document";
import { isEverything } from "./resources";
import { isObject } from "../json/isObject";
import { isInternet } from "../net/internet";

/** Condition keys that restrict the caller or its network, and whether a value of theirs names somebody. */
const CALLERS: readonly (readonly [RegExp, (value: string) => boolean])[] = [
  [/^aws:(principalarn|sourcearn|sourcevpcarn)$/, namesOwner],
  [/^aws:(vpc)?sourceip$/, (value) => !isInternet(value)],
  // The name of a session may be chosen freely.
  [/^aws:userid$/, (value) => /^[a-z0-9]{8}/i.test(value)],
  [/^aws:(principalorgid|principalorgpaths|principalaccount|sourceaccount|sourceorgid|sourceorgpaths|sourceowner|sourcevpc|sourcevpce|vpceaccount|vpceorgid|vpceorgpaths)$/, isExact], // prettier-ignore
  [/^(s3:dataaccesspointaccount|kms:calleraccount|lambda:eventsourcetoken)$/, isExact],
  [/^elasticfilesystem:accessedviamounttarget$/, () => true],
];

const restricted = (statement: Statement): boolean =>
  conditionsOf(statement).some(
    (condition) =>
      demands(condition) &&
      !/^Null$/i.test(condition.operator) &&
      CALLERS.some(([keys, names]) => keys.test(condition.key) && condition.values.every(names)) &&
      (!/^Bool$/i.test(condition.operator) || restricts(condition)),
  );

/** Whether an ARN names the account, or a resource of a service whose ARNs have none. */
function namesOwner(arn: string): boolean {
  const account = arn.split(":")[4];
  return account === undefined || account === "" ? !isEverything(arn) && arn.startsWith("arn:") : isExact(account);
}

/** Whether a value has no wildcard before the first slash: `o-1/r-1/*`. */
function isExact(value: string): boolean {
  return /^[^*?/]+(\/|$)/.test(value);
}

const matchesEveryone = (principal: unknown): boolean =>
  [principal, ...Object.values(isObject(principal) ? principal : {})]
    .filter((each) => !isObject(each))
    .flatMap(stringsOf)
    .some((each) => /^\*+$/.test(each) || /^arn:[^:]*:(iam|sts)::\*:/.test(each));

/** Findings for statements whose principal is everyone: trust policies, and policies of buckets, keys and queues. */
export function principalFindings(document: unknown, expected: string): Finding[] {
  return statementsOf(document).flatMap((statement, index): Finding[] => {
    if (!allows(statement)) return [];
    const part = statementName(statement, index);
    if (statement["NotPrincipal"] !== undefined)
      return [{ part, message: `found NotPrincipal, which permits all others; expected ${expected}` }];
    if (!matchesEveryone(statement["Principal"]) || restricted(statement)) return [];
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
      if (!allows(statement)) return [];
      const messages = federated.map((provider) => tokenFault(provider, conditionsOf(statement)));
      const message = messages.find((one) => one !== undefined);
      return message === undefined ? [] : [{ part: statementName(statement, index), message }];
    }),
  ];
}

/** Of an issuer that all customers of AWS share, only the audience names the owner. */
const isShared = (provider: string): boolean => provider === "cognito-identity.amazonaws.com";

function tokenFault(provider: string, conditions: readonly Condition[]): string | undefined {
  const [keys, what] = isShared(provider) ? [/:aud$/, "audience"] : [/:(sub|job_workflow_ref)$/, "subject"];
  const exact = conditions.filter((condition) => keys.test(condition.key) && restricts(condition));
  if (exact.length === 0)
    return `found no condition on the ${what} of the token; expected which tokens may assume the role`;
  const wide = exact.filter(({ operator }) => /Like$/i.test(operator)).flatMap(({ values }) => values);
  const any = wide.find(matchesAnySubject);
  return any === undefined ? undefined : `found the subject ${any}; expected subjects by name`;
}

/**
 * Whether a subject matches identities of owners or namespaces that it does not name: `system:serviceaccount:*:*`,
 * `system:serviceaccount:*:default`, `repo:*`, `repo:acme*`, which others may begin with too.
 */
function matchesAnySubject(subject: string): boolean {
  const [kind = "", realm = "", namespace = ""] = subject.split(":");
  if (/[*?]/.test(kind)) return true;
  return kind === "system" ? /[*?]/.test(realm) || !/[a-z0-9]/i.test(namespace) : !isExact(realm);
}

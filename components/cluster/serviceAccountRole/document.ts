/** IAM policy documents as typed data, and as the JSON that AWS takes. Pure. */

/** Condition operator to key to the values of which one must match. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export interface Statement {
  readonly sid?: string;
  readonly effect: "Allow" | "Deny";
  /** Who; in trust policies only. */
  readonly principal?: Readonly<Record<string, string>>;
  readonly actions: readonly string[];
  /** ARNs; in permission policies only. */
  readonly resources?: readonly string[];
  readonly conditions?: Conditions;
  /** Why an action or a resource is `*`; without it such a statement is refused. */
  readonly wildcardReason?: string;
}

/** Characters of a trust policy, unless AWS raised the account's quota. */
export const TRUST_LIMIT = 2048;
/** Characters of all inline policies of a role together. */
export const INLINE_LIMIT = 10_240;
/** Characters of a customer managed policy, white space not counted. */
export const POLICY_LIMIT = 6144;

/** Whether everything is allowed: `*`, all actions of a service, all resources. */
export const isWild = ({ actions, resources = [] }: Pick<Statement, "actions" | "resources">): boolean =>
  actions.some((action) => /^([\w-]+:)?\*$/.test(action)) || resources.some((resource) => resource === "*");

/** The document. Throws if a wildcard has no reason, or where it is longer than `limit`. */
export function renderDocument(statements: readonly Statement[], limit: number): string {
  for (const statement of statements) {
    if (statement.effect === "Allow" && isWild(statement) && !statement.wildcardReason) {
      const what = [...statement.actions, ...(statement.resources ?? [])].join(", ");
      throw new Error(`the IAM statement ${statement.sid ?? what} allows a wildcard without a written reason: ${what}`);
    }
  }
  const text = JSON.stringify({ Version: "2012-10-17", Statement: statements.map(rendered) });
  if (text.length > limit) {
    throw new Error(`an IAM document has ${text.length} characters, AWS takes ${limit}; split what it allows`);
  }
  return text;
}

function rendered({ sid, effect, principal, actions, resources, conditions }: Statement): object {
  return {
    ...(sid === undefined ? {} : { Sid: sid }),
    Effect: effect,
    ...(principal === undefined ? {} : { Principal: principal }),
    Action: single(actions),
    ...(resources === undefined ? {} : { Resource: single(resources) }),
    ...(conditions === undefined ? {} : { Condition: conditions }),
  };
}

/** One value as itself, several as a sorted list: the same content is the same text. */
export const single = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? values[0]! : [...new Set(values)].sort();

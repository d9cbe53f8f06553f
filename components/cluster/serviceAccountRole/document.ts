/** IAM policy documents as typed data, and their JSON. Pure. */

import { escalationIn, isWholeService } from "../../../foundation/iam/actions";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";

/** Condition operator to key to values. One of the values must match. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export interface Statement {
  readonly sid?: string;
  readonly effect: "Allow" | "Deny";
  /** The principal; in trust policies only. */
  readonly principal?: Readonly<Record<string, string>>;
  readonly actions: readonly string[];
  /** ARNs; in permission policies only. */
  readonly resources?: readonly string[];
  readonly conditions?: Conditions;
  /** Why an action or resource is `*`. A wildcard without a reason is an error. */
  readonly wildcardReason?: string;
}

/** Maximum length of a trust policy, with the default quota. */
export const TRUST_LIMIT = 2048;
/** Maximum total length of the inline policies of a role. */
export const INLINE_LIMIT = 10_240;
/** Maximum length of a customer managed policy, without white space. */
export const POLICY_LIMIT = 6144;

/** Whether a statement allows all actions of a service, a pattern that escalates privileges, or all resources. */
export const isWild = ({ actions, resources = [] }: Pick<Statement, "actions" | "resources">): boolean =>
  actions.some((action) => isWholeService(action) || escalationIn(action) !== undefined) || resources.some(isUnbounded);

/** Whether a resource is `*`, or everything of a service: `arn:aws:s3:::*`. */
const isUnbounded = (resource: string): boolean => {
  const parts = resource.split(":");
  return /^[*?]*\*[*?]*$/.test(parts.slice(5).join(":") || (parts.at(-1) ?? ""));
};

/** Renders a document. Throws if a wildcard has no reason, or if it is longer than `limit`. */
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

/** Fault for a document that is longer than AWS allows. */
export function lengthFaults(statements: readonly Statement[], limit: number, path: Path, expected: string): Fault[] {
  const { length } = renderDocument(statements, Number.POSITIVE_INFINITY);
  return length > limit ? [mismatch(path, `a policy of ${length} characters, AWS takes ${limit}`, expected)] : [];
}

/** A single value as a string, several as a sorted list, so that equal content has equal text. */
export const single = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? values[0]! : [...new Set(values)].sort();

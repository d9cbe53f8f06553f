import { at, listOf, recordsOf, textOr } from "../json/parts";
import { isObject, jsonIn } from "../json/isObject";
import { isEverything } from "./resources";

/** Reads IAM policy documents as plain data. */

export type Statement = Readonly<Record<string, unknown>>;

/** One value or a list of values, as strings. */
export const stringsOf = (value: unknown): string[] =>
  value === undefined || value === null ? [] : (Array.isArray(value) ? listOf(value) : [value]).map(String);

/**
 * The statements of a document, given as JSON or as an object. Empty if the document can't be parsed or is not known
 * yet.
 */
export function statementsOf(document: unknown): readonly Statement[] {
  const statements = at(parsedDocument(document), "Statement");
  return isObject(statements) ? [statements] : recordsOf(statements);
}

/** A document given as JSON or as an object; undefined if it can't be parsed. */
export function parsedDocument(document: unknown): unknown {
  // AWS rejects a text that is not JSON, so it allows nothing.
  return typeof document === "string" ? jsonIn(document) : document;
}

export const allows = (statement: Statement): boolean => statement["Effect"] === "Allow";

/** `statement 0`, or the statement's Sid. */
export const statementName = (statement: Statement, index: number): string =>
  `statement ${textOr(statement["Sid"], String(index))}`;

/** A condition: operator, key in lowercase, values. */
export interface Condition {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

export const conditionsOf = (statement: Statement): Condition[] =>
  Object.entries(isObject(statement["Condition"]) ? statement["Condition"] : {}).flatMap(([operator, keys]) =>
    Object.entries(isObject(keys) ? keys : {}).map(([key, values]) => ({
      operator,
      key: key.toLowerCase(),
      values: stringsOf(values),
    })),
  );

/** Operators that deny requests without the key. `ForAllValues:`, `…IfExists` and `…Not…` permit them. */
const DEMANDS = /^(ForAnyValue:)?(String(Equals|Like|EqualsIgnoreCase)|Arn(Equals|Like)|IpAddress|Bool)$/i;

/** Whether a condition denies requests without the key. */
export const demands = ({ operator, values }: Condition): boolean =>
  (DEMANDS.test(operator) && values.length > 0) ||
  (/^Null$/i.test(operator) && values.length > 0 && values.every((value) => value.toLowerCase() === "false"));

/** Whether a condition denies requests without the key or with another value, each of which names something. */
export const restricts = (condition: Condition): boolean =>
  DEMANDS.test(condition.operator) &&
  condition.values.length > 0 &&
  condition.values.every((value) =>
    /^Bool$/i.test(condition.operator)
      ? value.toLowerCase() === "true"
      : /[a-z0-9]/i.test(value) && !(value.startsWith("arn:") && isEverything(value)),
  );

import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from "graphql";
import { isObject } from "../../foundation/json/isObject";
import { PERIOD_EXPECTED, parsePeriod, periodText } from "../lifetimes/period";
import { DateTimeResolver, JSONResolver } from "graphql-scalars";

const EXPECTED = "expected an object of texts";
const MOST_KEYS = 100;

/** Rejects keys such as `__proto__` that an object can't hold safely. */
function annotations(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) {
    throw new GraphQLError(`found ${JSON.stringify(value)}; ${EXPECTED}`);
  }
  const entries = Object.entries(value);
  if (entries.length > MOST_KEYS) throw new GraphQLError(`found ${entries.length} keys; expected ${MOST_KEYS} at most`);
  const wrong = entries.find(([key, text]) => typeof text !== "string" || key === "__proto__");
  if (wrong) throw new GraphQLError(`found ${JSON.stringify(wrong[1])} at ${JSON.stringify(wrong[0])}; ${EXPECTED}`);
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

function literal(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  // Validation calls this before the variables are known; execution does it again with them.
  if (node.kind === Kind.VARIABLE) return variables ? variables[node.name.value] : "";
  if (node.kind === Kind.STRING) return node.value;
  if (node.kind !== Kind.OBJECT) throw new GraphQLError(`found no text; ${EXPECTED}`);
  return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literal(value, variables)]));
}

export const Annotations = new GraphQLScalarType<Readonly<Record<string, string>>>({
  name: "Annotations",
  serialize: annotations,
  parseValue: annotations,
  parseLiteral: (node, variables) => annotations(literal(node, variables)),
});

/** `node`: where the query has it; an input has several of them. */
function period(value: unknown, node?: ValueNode): number {
  const seconds = typeof value === "string" ? parsePeriod(value) : undefined;
  if (seconds !== undefined) return seconds;
  throw new GraphQLError(`found ${JSON.stringify(value)}; expected ${PERIOD_EXPECTED}`, { nodes: node ?? null });
}

/** Seconds in the service, a text such as `7d` for clients. */
export const Period = new GraphQLScalarType<number, string>({
  name: "Period",
  serialize: (seconds) => periodText(Number(seconds)),
  parseValue: (value) => period(value),
  parseLiteral: (node) =>
    period("value" in node ? (node.kind === Kind.STRING ? node.value : Number(node.value)) : null, node),
});

export const DateTime = DateTimeResolver;
// Output only, so inputs need no check.
export const JSON_VALUE = JSONResolver;

import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { maxDepthPlugin } from "@escape.tech/graphql-armor-max-depth";
import { maxTokensPlugin } from "@escape.tech/graphql-armor-max-tokens";
import { getOperationAST, type DocumentNode, type GraphQLSchema, type Source } from "graphql";
import { getComplexity, type ComplexityEstimator } from "graphql-query-complexity";
import type { Plugin } from "graphql-yoga";
import { ApiError } from "./errors";
import { selectionsPlugin } from "./selections";

/**
 * Deeper than any query that the depth limit allows and than any input of it, and far below the depth at which the parser overflows its stack.
 */
const MOST_NESTED = 100;

/**
 * Brackets of a document, and the tokens that may contain brackets without meaning: block strings, strings, comments.
 */
const TOKEN = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*(?:"|$)|#[^\n\r]*|[{}[\]()]/g;

/** Returns the nesting depth of braces, brackets and parentheses in a GraphQL document. */
export function nestingOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === "{" || token === "[" || token === "(") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]" || token === ")") depth--;
  }
  return deepest;
}

/** True if a JSON value is nested deeper than `most`. Does not recurse, since the value may be too deep for that. */
function isNestedDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === most) return true;
    level = level.flatMap((each): unknown[] => Object.values(each)).filter(isNested);
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Rejects documents, variables and other parts of a request that are so deeply nested that functions which recurse, such
 * as the parser and JSON.stringify, would overflow their stack.
 */
const nestingPlugin = (): Plugin => ({
  onParams({ params }) {
    if (!isNestedDeeper(params, MOST_NESTED)) return;
    throw new ApiError({ code: "BAD_INPUT", reason: `the request is nested more than ${MOST_NESTED} deep` });
  },
  onParse({ params }) {
    const source = params.source as string | Source;
    if (nestingOf(typeof source === "string" ? source : source.body) <= MOST_NESTED) return;
    throw new ApiError({ code: "BAD_INPUT", reason: `the query is nested more than ${MOST_NESTED} deep` });
  },
});

export interface Limits {
  readonly depth: number;
  readonly cost: number;
  readonly aliases: number;
}

/** Enough for Kyma with all components and overrides, which clients write inline in the query. */
const MOST_TOKENS = 20_000;
const PAGE = 50;
/** A plan runs an engine. */
const PLAN_COST = 100;
/** A report reads platforms and their clusters. */
const REPORT_COST = 500;

/** Cost of a field: 1, multiplied by the page size for lists; a plan costs as much as a run of the engine. */
export const costOf: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  if (field.name.startsWith("__") || type.name.startsWith("__")) return 0;
  const isConnection = field.args.some(({ name }) => name === "first");
  const own = ownCost(field.name, args);
  return own + childComplexity * (isConnection ? pageSize(args["last"] ?? args["first"]) : 1);
};

function ownCost(name: string, args: Readonly<Record<string, unknown>>): number {
  if (/^(orphans|keptDisks|deleteKeptDisks|contents)$/.test(name)) return REPORT_COST;
  return /^plan$|Plan$/.test(name) || args["dryRun"] === true ? PLAN_COST : 1;
}

const pageSize = (size: unknown): number => (typeof size === "number" && size > 0 ? size : PAGE);

/** Rejects a query whose cost is above the limit. Fields of a node count once per node. */
function costPlugin(most: number): Plugin {
  const check = (schema: GraphQLSchema, query: DocumentNode, operationName: unknown, variables: unknown): void => {
    const name = typeof operationName === "string" ? operationName : undefined;
    if (!getOperationAST(query, name)) return;
    const cost = getComplexity({
      schema,
      query,
      estimators: [costOf],
      ...(name === undefined ? {} : { operationName: name }),
      variables: (variables ?? {}) as Record<string, unknown>,
    });
    if (cost <= most) return;
    const reason = `the query costs ${cost}; expected ${most} at most`;
    throw new ApiError({ code: "TOO_LARGE", reason, advice: "ask for smaller pages or fewer fields" });
  };
  const before = ({
    args,
  }: {
    args: { schema: GraphQLSchema; document: DocumentNode; operationName?: unknown; variableValues?: unknown };
  }) => check(args.schema, args.document, args.operationName, args.variableValues);
  return { onExecute: before, onSubscribe: before };
}

/** Limits on the size of a query. */
export function limitPlugins({ depth, cost, aliases }: Limits): Plugin[] {
  return [
    nestingPlugin(),
    maxTokensPlugin({ n: MOST_TOKENS }),
    selectionsPlugin(),
    maxDepthPlugin({ n: depth, ignoreIntrospection: true, exposeLimits: true }),
    maxAliasesPlugin({ n: aliases, exposeLimits: true }),
    costPlugin(cost),
  ];
}

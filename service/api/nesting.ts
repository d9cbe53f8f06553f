import type { Source } from "graphql";
import type { Plugin } from "graphql-yoga";
import { ApiError } from "./errors";

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
export function isNestedDeeper(value: unknown, most: number): boolean {
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
export const nestingPlugin = (): Plugin => ({
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

import type { Source } from "graphql";
import type { Plugin } from "graphql-yoga";
import { ApiError } from "./errors";

/**
 * Deeper than any query that the depth limit allows, and far below the depth at which the parser overflows its stack.
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

/** Rejects documents so deeply nested that the recursive parser would overflow its stack. */
export const nestingPlugin = (): Plugin => ({
  onParse({ params }) {
    const source = params.source as string | Source;
    if (nestingOf(typeof source === "string" ? source : source.body) <= MOST_NESTED) return;
    throw new ApiError({ code: "BAD_INPUT", reason: `the query is nested more than ${MOST_NESTED} deep` });
  },
});

import type { Source } from "graphql";
import type { Plugin } from "graphql-yoga";
import { ApiError } from "./errors";

/** Far deeper than any query that the depth limit allows, and far from where a parser runs out of stack. */
const MOST_NESTED = 100;

/** What opens and closes in a document, and what hides braces: block strings, strings, comments. */
const TOKEN = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*(?:"|$)|#[^\n\r]*|[{}[\]()]/g;

/** How deep the braces, brackets and parentheses of a GraphQL document are nested. */
export function nestingOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === "{" || token === "[" || token === "(") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]" || token === ")") depth--;
  }
  return deepest;
}

/** Refuses what a parser would read by recursion until its stack ends. */
export const nestingPlugin = (): Plugin => ({
  onParse({ params }) {
    const source = params.source as string | Source;
    if (nestingOf(typeof source === "string" ? source : source.body) <= MOST_NESTED) return;
    throw new ApiError({ code: "BAD_INPUT", reason: `the query is nested more than ${MOST_NESTED} deep` });
  },
});

import { lex, type Token } from "./lexer";

/**
 * Replaces each call of `sanitizeLabel`, which Helm's engine lacks, with a call of the chart's named template of that
 * name. Works for direct calls and in pipelines, since both pass the value as the last argument. Line numbers do not
 * change.
 */
export function rewriteFunctions(text: string): string {
  const calls: Token[] = [];
  for (const part of lex(text).parts) {
    if (part.kind !== "action") continue;
    calls.push(...part.tokens.filter(({ kind, text }) => kind === "word" && text === "sanitizeLabel"));
  }
  let rewritten = "";
  let from = 0;
  for (const { start, end } of calls) {
    rewritten += `${text.slice(from, start)}include "sanitizeLabel"`;
    from = end;
  }
  return rewritten + text.slice(from);
}

import { lex, type Token } from "./lexer";

/**
 * The template with every call of `sanitizeLabel`, which Helm's engine does not have, made a call of the chart's named
 * template of that name. It works as a call and behind a pipe, since both hand the value over as the last argument.
 * Lines stay what they were.
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

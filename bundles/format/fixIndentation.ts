/**
 * Fixes indentation that kubectl's go-yaml accepts and js-yaml rejects: go-yaml ignores the indentation within brackets
 * and quotes. Additional spaces at the start of such lines don't change their meaning.
 */

import type { YAMLException } from "js-yaml";

/** Returns the text with this error fixed; undefined if it can't be fixed automatically. */
export function fixIndentation(text: string, { reason, mark }: YAMLException): string | undefined {
  if (mark === undefined || reason !== "deficient indentation") return undefined;
  const { position } = mark;
  const start = lineStart(text, position);
  const before = text.slice(start, position);
  if (/^[ \t]*$/.test(before)) return insert(text, start, " ".repeat(deepest(text) + 1));
  // Within a line, a tab counts as a space.
  const blanks = /[ \t]*$/.exec(before)?.[0] ?? "";
  if (!blanks.includes("\t")) return undefined;
  return text.slice(0, position - blanks.length) + " ".repeat(blanks.length) + text.slice(position);
}

const insert = (text: string, at: number, more: string): string => text.slice(0, at) + more + text.slice(at);

/** Start of the line that contains a position. */
const lineStart = (text: string, position: number): number =>
  Math.max(text.lastIndexOf("\n", position - 1), text.lastIndexOf("\r", position - 1)) + 1;

/** More than the deepest nesting allowed, so no line needs more. */
const MOST = 1000;

/** Returns the largest indentation of all lines. */
function deepest(text: string): number {
  let most = 0;
  for (const [blanks] of text.matchAll(/(?<![^\r\n]) +/g)) most = Math.max(most, blanks.length);
  return Math.min(most, MOST);
}

/**
 * go-yaml, which kubectl reads with, does not mind how far a line is indented within brackets and quotes; js-yaml wants it
 * deeper than the key. Blanks at the beginning of such a line mean nothing, so some more of them change nothing.
 */

import type { YAMLException } from "js-yaml";

/** The text as js-yaml takes it where this error ended it; undefined if only its writer can fix it. */
export function fixIndentation(text: string, { reason, mark }: YAMLException): string | undefined {
  if (mark === undefined || reason !== "deficient indentation") return undefined;
  const { position } = mark;
  const start = lineStart(text, position);
  const before = text.slice(start, position);
  if (/^[ \t]*$/.test(before)) return insert(text, start, " ".repeat(deepest(text) + 1));
  // A tab within a line is a blank as any other.
  const blanks = /[ \t]*$/.exec(before)?.[0] ?? "";
  if (!blanks.includes("\t")) return undefined;
  return text.slice(0, position - blanks.length) + " ".repeat(blanks.length) + text.slice(position);
}

const insert = (text: string, at: number, more: string): string => text.slice(0, at) + more + text.slice(at);

/** Where the line begins that has this position. */
const lineStart = (text: string, position: number): number =>
  Math.max(text.lastIndexOf("\n", position - 1), text.lastIndexOf("\r", position - 1)) + 1;

/** More than a hundred levels there are not, so no line must be indented further. */
const MOST = 1000;

/** How far the line is indented that is indented most. */
function deepest(text: string): number {
  let most = 0;
  for (const [blanks] of text.matchAll(/(?<![^\r\n]) +/g)) most = Math.max(most, blanks.length);
  return Math.min(most, MOST);
}

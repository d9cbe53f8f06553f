/**
 * Splits Go template text into literal text and actions, and actions into tokens, according to Go's text/template.
 * Covers only what the checks need; the template engine checks expressions.
 */

type TokenKind = "word" | "field" | "variable" | "dot" | "string" | "char" | "number" | "punctuation";

export interface Token {
  readonly kind: TokenKind;
  /** As written: `.Names`, `$x`, `"text"`, `|`. */
  readonly text: string;
  /** Offset in the template. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export interface Text {
  readonly kind: "text";
  readonly text: string;
  /** Line of the first character, starting at 1. */
  readonly line: number;
}

export interface Action {
  readonly kind: "action";
  readonly tokens: readonly Token[];
  readonly comment: boolean;
  /** Offset of its `{{` in the template, and of the first character after its `}}`. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** `{{-` and `-}}` trim white space on that side. */
  readonly trimLeft: boolean;
  readonly trimRight: boolean;
}

interface Lexed {
  readonly parts: readonly (Text | Action)[];
  /** Where lexing stopped. `parts` contains what precedes it. */
  readonly fault?: { readonly line: number; readonly message: string };
}

const SPACE = /[ \t\r\n]/;

/** Token kinds in order of precedence. Each pattern is sticky. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ["string", /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ["char", /'(?:[^'\\\n]|\\.)+'/y],
  ["number", /[+-]?(?:\d[\w.]*|\.\d[\w.]*)/y],
  ["field", /\.[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["dot", /\./y],
  ["variable", /\$[\p{L}\p{Nd}_]*/uy],
  ["word", /[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["punctuation", /:=|[=|(),]/y],
];

class Stop extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

export function lex(template: string): Lexed {
  const parts: (Text | Action)[] = [];
  const lineAt = lineCounter(template);
  let offset = 0;
  try {
    while (offset < template.length) {
      const open = template.indexOf("{{", offset);
      const end = open < 0 ? template.length : open;
      if (end > offset) parts.push({ kind: "text", text: template.slice(offset, end), line: lineAt(offset) });
      if (open < 0) break;
      const action = lexAction(template, open, lineAt);
      parts.push(action);
      offset = action.end;
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { parts, fault: { line: lineAt(error.offset), message: error.message } };
  }
  return { parts };
}

type LineAt = (offset: number) => number;

function lexAction(template: string, open: number, lineAt: LineAt): Action {
  let offset = open + 2;
  const trimLeft = template[offset] === "-" && SPACE.test(template[offset + 1] ?? "");
  if (trimLeft) offset += 2;
  const action = { kind: "action" as const, start: open, line: lineAt(open), trimLeft };

  const comment = /[ \t\r\n]*\/\*/y;
  comment.lastIndex = offset;
  if (comment.test(template)) {
    const close = template.indexOf("*/", comment.lastIndex);
    if (close < 0) throw new Stop(open, "a comment {{/* is not closed with */}}");
    const right = rightDelimiter(template, close + 2);
    if (right === undefined) throw new Stop(open, "a comment must be all there is between its {{ and }}");
    return { ...action, tokens: [], comment: true, trimRight: right.trim, end: right.end };
  }

  const tokens: Token[] = [];
  for (;;) {
    const right = rightDelimiter(template, offset);
    if (right !== undefined) return { ...action, tokens, comment: false, trimRight: right.trim, end: right.end };
    const char = template[offset];
    if (char === undefined || template.startsWith("{{", offset)) {
      throw new Stop(open, "an action {{ is not closed with }}");
    }
    if (SPACE.test(char)) {
      offset += 1;
      continue;
    }
    const token = nextToken(template, offset, lineAt, open);
    tokens.push(token);
    offset = token.end;
  }
}

function nextToken(template: string, offset: number, lineAt: LineAt, open: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = offset;
    const match = pattern.exec(template);
    if (match !== null) {
      return { kind, text: match[0], start: offset, end: pattern.lastIndex, line: lineAt(offset) };
    }
  }
  const char = String.fromCodePoint(template.codePointAt(offset) ?? 0);
  if (/["'`]/.test(char)) throw new Stop(offset, `a text that begins with ${char} is not closed`);
  // Usually the next line of YAML after a missing }}.
  if (char === "}" || lineAt(offset) > lineAt(open)) throw new Stop(open, "an action {{ is not closed with }}");
  throw new Stop(offset, `found ${JSON.stringify(char)} in an action; a Go template has no use for it there`);
}

/** The `}}` or ` -}}` at `offset`; undefined if there is none. */
function rightDelimiter(template: string, offset: number): { end: number; trim: boolean } | undefined {
  if (template.startsWith("}}", offset)) return { end: offset + 2, trim: false };
  const trimmed = /[ \t\r\n]-\}\}/y;
  trimmed.lastIndex = offset;
  return trimmed.test(template) ? { end: trimmed.lastIndex, trim: true } : undefined;
}

/** Maps an offset to its line, starting at 1. */
function lineCounter(template: string): LineAt {
  const starts = [0];
  for (let at = template.indexOf("\n"); at >= 0; at = template.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

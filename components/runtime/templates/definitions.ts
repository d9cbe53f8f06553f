import { type Action, lex, type Token } from "./lexer";
import { keyword } from "./scope";

/** A named template that a text defines: `{{ define "labels" }}` or `{{ block "labels" . }}`, up to its `{{ end }}`. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /** The definition alone, written as `{{ define }}`. */
  readonly source: string;
  /** All names that `source` defines: its own, and those of nested blocks. */
  readonly names: readonly string[];
  /** Whether it is nested in another definition, whose source includes it. */
  readonly inner: boolean;
}

/** A call of a named template by `template` or `include`. Calls with computed names are not found. */
interface Call {
  readonly name: string;
  readonly line: number;
}

export interface Named {
  readonly definitions: readonly Definition[];
  readonly calls: readonly Call[];
  /** The text without its definitions. Line numbers do not change. */
  readonly rest: string;
}

interface Opened {
  readonly action: Action;
  readonly word: string;
  readonly names: string[];
}

const OPENING = new Set(["if", "with", "range", "define", "block"]);

/** Finds the definitions and calls in a text. Ignores a definition without `{{ end }}`. */
export function namedIn(text: string): Named {
  const definitions: Definition[] = [];
  const calls: Call[] = [];
  let rest = "";
  let from = 0;
  const opened: Opened[] = [];
  for (const action of lex(text).parts) {
    if (action.kind !== "action" || action.comment) continue;
    calls.push(...callsIn(action));
    const word = keyword(action);
    if (word !== undefined && OPENING.has(word)) opened.push({ action, word, names: [] });
    if (word !== "end") continue;
    const closed = opened.pop();
    const name = closed && nameOf(closed);
    if (closed === undefined || name === undefined) continue;
    const outer = opened.filter(nameOf).at(-1);
    const names = [name, ...closed.names];
    outer?.names.push(...names);
    const source = sourceOf(text, closed, action);
    definitions.push({ name, line: closed.action.line, source, names, inner: outer !== undefined });
    if (closed.word !== "define" || outer !== undefined) continue;
    rest += text.slice(from, closed.action.start) + blank(text, closed.action, action);
    from = action.end;
  }
  return { definitions: definitions.sort((a, b) => a.line - b.line), calls, rest: rest + text.slice(from) };
}

function nameOf({ word, action }: Opened): string | undefined {
  return word === "define" || word === "block" ? literal(action.tokens[1]) : undefined;
}

function sourceOf(text: string, { word, action }: Opened, end: Action): string {
  if (word === "define") return text.slice(action.start, end.end);
  const name = action.tokens[1]?.text ?? "";
  return `{{ define ${name}${action.trimRight ? " -" : " "}}}${text.slice(action.end, end.end)}`;
}

/** A comment that replaces a definition, with the same line breaks and trim marks. */
function blank(text: string, from: Action, to: Action): string {
  const breaks = text.slice(from.start, to.end).replace(/[^\n]/g, "");
  return `{{${from.trimLeft ? "- " : ""}/*${breaks}*/${to.trimRight ? " -" : ""}}}`;
}

function callsIn({ tokens, line }: Action): Call[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== "word" || (token.text !== "include" && (token.text !== "template" || index > 0))) return [];
    const name = literal(tokens[index + 1]);
    return name === undefined ? [] : [{ name, line }];
  });
}

/** The value of a string token. */
function literal(token: Token | undefined): string | undefined {
  if (token?.kind !== "string") return undefined;
  const inside = token.text.slice(1, -1);
  return token.text.startsWith("`") ? inside : inside.replace(/\\(["\\])/g, "$1");
}

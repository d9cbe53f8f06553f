import type { Action, Token } from "./lexer";
import { CLICKHOUSE, NAMES, VARIABLES } from "./variables";

/** The meaning of an expression, as far as it can be determined without evaluation. */
export type Meaning = "root" | "unknown" | "text" | "number" | "map" | "names" | "clickhouse";

const KEYWORDS = new Set(["if", "else", "end", "range", "with", "define", "block", "template", "break", "continue"]);

/** The keyword at the beginning of an action, if any. */
export function keyword(action: Action): string | undefined {
  const first = action.tokens[0];
  return first?.kind === "word" && KEYWORDS.has(first.text) ? first.text : undefined;
}

/** Variables of a block and, through `parent`, of the enclosing blocks. */
export class Scope {
  private readonly variables = new Map<string, Meaning>();

  constructor(
    /** Meaning of `.` in the block. */
    readonly dot: Meaning,
    readonly parent?: Scope,
  ) {}

  declare(name: string, meaning: Meaning): void {
    this.variables.set(name, meaning);
  }

  /** Assigns a variable. After an assignment with another meaning, its meaning is unknown. */
  assign(name: string, meaning: Meaning): void {
    const home = this.home(name);
    if (home !== undefined && home.lookup(name) !== meaning) home.declare(name, "unknown");
  }

  lookup(name: string): Meaning {
    return this.home(name)?.variables.get(name) ?? "unknown";
  }

  private home(name: string): Scope | undefined {
    return this.variables.has(name) ? this : this.parent?.home(name);
  }
}

/** An operand such as `.Names.Service` or `$.Host`: its base and the fields that follow without a space. */
export interface Chain {
  readonly base: Token;
  readonly fields: readonly Token[];
  /** Index of the next token. */
  readonly next: number;
}

/** The chain that starts at `index`; undefined if none does. */
export function chainAt(tokens: readonly Token[], index: number): Chain | undefined {
  const base = tokens[index];
  if (base === undefined || !["field", "variable", "dot"].includes(base.kind)) return undefined;
  const fields: Token[] = base.kind === "field" ? [base] : [];
  let next = index + 1;
  for (
    let token = tokens[next];
    token?.kind === "field" && token.start === tokens[next - 1]?.end;
    token = tokens[next]
  ) {
    fields.push(token);
    next += 1;
  }
  return { base, fields, next };
}

/** A field that does not exist. */
export interface UnknownField {
  readonly token: Token;
  /** The chain up to and including the field, as written. */
  readonly found: string;
  /** Meaning of the value that lacks the field. */
  readonly of: Meaning;
  /** Existing fields, written like `found`; empty if there are none. */
  readonly known: readonly string[];
}

const FIELDS: Partial<Record<Meaning, readonly string[]>> = {
  root: Object.keys(VARIABLES),
  names: NAMES,
  clickhouse: CLICKHOUSE,
};

/** Resolves the fields of a chain. Calls `fault` for the first one that does not exist. */
export function meaningOf(chain: Chain, scope: Scope, fault: (unknown: UnknownField) => void): Meaning {
  const fromVariable = chain.base.kind === "variable";
  let meaning = fromVariable ? scope.lookup(chain.base.text) : scope.dot;
  let path = fromVariable ? chain.base.text : "";
  for (const token of chain.fields) {
    const name = token.text.slice(1);
    if (meaning === "unknown" || meaning === "map") return "unknown";
    const known = FIELDS[meaning] ?? [];
    if (!known.includes(name)) {
      const prefix = path;
      fault({ token, found: path + token.text, of: meaning, known: known.map((other) => `${prefix}.${other}`) });
      return "unknown";
    }
    meaning = meaning === "root" ? (VARIABLES[name] ?? "unknown") : "text";
    path += token.text;
  }
  return meaning;
}

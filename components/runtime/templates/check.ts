import type { HelperFile, Template } from "../template";
import { nearest } from "../../../foundation/text/nearest";
import { checkDocuments } from "./documents";
import { type Action, lex, type Token } from "./lexer";
import { nameFaults } from "./nameFaults";
import { type Chain, chainAt, keyword, type Meaning, meaningOf, Scope, type UnknownField } from "./scope";
import { KIND_BY_KEY } from "./variables";
import type { TemplateFault } from "./fault";

/**
 * Finds faults in the templates and helper files of a Kubernetes provisioner from their text alone: unknown variables,
 * unbalanced blocks, unclosed actions, forbidden functions, more or less than one document, unknown keys, and names
 * that are defined twice or not at all. `complete`: whether all files of the provisioner are present; otherwise a
 * missing file may define a name. Pure. The template engine finds other faults when a runtime is rendered.
 */
export function checkTemplates(
  templates: readonly Template[],
  helpers: readonly HelperFile[] = [],
  complete = true,
): TemplateFault[] {
  const seen = new Set<string>();
  const names = nameFaults(templates, helpers, complete);
  const inFile = (file: string, faults: readonly Fault[]): TemplateFault[] =>
    [...faults.map((fault) => ({ file, ...fault })), ...names.filter((fault) => fault.file === file)].sort(
      (a, b) => a.line - b.line,
    );
  return [
    ...helpers.flatMap(({ file, text }) => inFile(file, checkText(text, "helper"))),
    ...templates.flatMap(({ key, file, text }) => {
      const faults = checkKey(key, seen).map((message) => ({ line: 1, message }));
      seen.add(key);
      return inFile(file, [...faults, ...checkText(text, "object")]);
    }),
  ];
}

function checkKey(key: string, seen: ReadonlySet<string>): string[] {
  if (seen.has(key)) return [`found a second template "${key}"; expected one for each key`];
  const known = Object.keys(KIND_BY_KEY);
  if (known.includes(key)) return [];
  return [`found template key "${key}"; expected one of ${known.join(", ")}${suggestion(key, known)}`];
}

const suggestion = (found: string, known: readonly string[]): string => {
  const near = nearest(found, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
};

interface Fault {
  readonly line: number;
  readonly message: string;
}

/** A block that needs an `{{ end }}`. */
interface Frame {
  readonly word: string;
  readonly line: number;
  /** Scope around the block, which applies again at its `else`. */
  readonly outer: Scope;
}

function checkText(text: string, renders: "object" | "helper"): Fault[] {
  const { parts, fault } = lex(text);
  const checker = new ActionChecker();
  for (const part of parts) if (part.kind === "action" && !part.comment) checker.visit(part);
  // After an unclosed action, blocks and documents are unknown.
  if (fault !== undefined) return [...checker.faults, fault];
  checker.finish();
  return renders === "helper" ? checker.faults : [...checker.faults, ...checkDocuments(parts)];
}

/** Walks through the actions of a template and tracks the meaning of `.`, `$` and variables. */
class ActionChecker {
  readonly faults: Fault[] = [];
  private readonly frames: Frame[] = [];
  private scope = rootScope("root");

  visit(action: Action): void {
    const word = keyword(action);
    const rest = word === undefined ? action.tokens : action.tokens.slice(1);
    switch (word) {
      case undefined:
        if (rest.length === 0)
          this.fault(action.line, "found an empty action {{ }}; expected a value or a control word");
        this.pipeline(rest, this.scope, "whole");
        break;
      case "end":
        this.end(action);
        break;
      case "else":
        this.otherwise(action, rest);
        break;
      case "if":
      case "with":
      case "range":
        this.open(word, action, rest, this.scope);
        break;
      case "define":
        if (this.frames.length > 0)
          this.fault(action.line, "found {{ define }} inside of another block; expected it at the top of the file");
        this.enter(word, action, rootScope("unknown"));
        break;
      case "block":
        this.enter(word, action, rootScope(this.pipeline(rest.slice(1), this.scope, "whole")));
        break;
      default:
        this.pipeline(rest, this.scope, "whole");
    }
  }

  finish(): void {
    for (const { word, line } of this.frames) this.fault(line, `{{ ${word} }} has no {{ end }}`);
  }

  private open(word: string, action: Action, rest: readonly Token[], outer: Scope): void {
    this.enter(word, action, this.inner(word, rest, outer), outer);
  }

  /** Scope inside an if, with or range. Variables declared in its head are valid until its end. */
  private inner(word: string, rest: readonly Token[], outer: Scope): Scope {
    const head = new Scope(outer.dot, outer);
    const meaning = this.pipeline(rest, head, word === "range" ? "items" : "whole");
    if (word === "if") return head;
    return new Scope(word === "with" ? meaning : "unknown", head);
  }

  private enter(word: string, action: Action, scope: Scope, outer: Scope = this.scope): void {
    this.frames.push({ word, line: action.line, outer });
    this.scope = scope;
  }

  private end(action: Action): void {
    const frame = this.frames.pop();
    if (frame === undefined) this.fault(action.line, "{{ end }} closes nothing; there is one too many");
    else this.scope = frame.outer;
  }

  private otherwise(action: Action, rest: readonly Token[]): void {
    const frame = this.frames.at(-1);
    if (frame === undefined || frame.word === "define" || frame.word === "block") {
      this.fault(action.line, "{{ else }} belongs to no {{ if }}, {{ with }} or {{ range }}");
      return;
    }
    const word = rest[0]?.text;
    const chained = word === "if" || word === "with";
    this.scope = chained ? this.inner(word, rest.slice(1), frame.outer) : new Scope(frame.outer.dot, frame.outer);
  }

  /** Checks the operands of a pipeline, declares its variables and returns its meaning. */
  private pipeline(tokens: readonly Token[], scope: Scope, variablesTake: "whole" | "items"): Meaning {
    const sign = tokens.findIndex((token) => token.text === ":=" || token.text === "=");
    const names = tokens.slice(0, Math.max(sign, 0)).filter((token) => token.kind === "variable");
    const value = tokens.slice(sign + 1);
    let only: Meaning = "unknown";
    for (let index = 0; index < value.length;) {
      const token = value[index];
      const chain = chainAt(value, index);
      if (token?.kind === "word") this.word(token);
      if (chain === undefined) {
        index += 1;
        continue;
      }
      const meaning = this.chain(chain, value[index - 1], scope);
      if (index === 0 && chain.next === value.length) only = meaning;
      index = chain.next;
    }
    for (const { text } of names) {
      const meaning = variablesTake === "whole" ? only : "unknown";
      if (tokens[sign]?.text === ":=") scope.declare(text, meaning);
      else scope.assign(text, meaning);
    }
    return only;
  }

  /** Fields directly after `)` belong to the expression in parentheses, whose meaning is unknown. */
  private chain(chain: Chain, before: Token | undefined, scope: Scope): Meaning {
    if (before?.text === ")" && before.end === chain.base.start) return "unknown";
    return meaningOf(chain, scope, (unknown) => this.fault(unknown.token.line, describe(unknown)));
  }

  private word({ text, line }: Token): void {
    if (text !== "env" && text !== "expandenv") return;
    this.fault(
      line,
      `found the function ${text}; templates must not read the environment of the machine that renders them`,
    );
  }

  private fault(line: number, message: string): void {
    this.faults.push({ line, message });
  }
}

const rootScope = (dot: Meaning): Scope => {
  const scope = new Scope(dot);
  scope.declare("$", dot);
  return scope;
};

function describe({ token, found, of, known }: UnknownField): string {
  if (known.length === 0)
    return `found ${found}, but ${found.slice(0, -token.text.length)} is a ${of} and has no fields`;
  return `found unknown variable ${found}; expected one of ${known.join(" ")}${suggestion(found, known)}`;
}

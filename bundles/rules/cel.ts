/** Rules in CEL, the expression language of Kubernetes: `self.status.readyReplicas == self.spec.replicas`. */

import { Environment, EvaluationError, Optional, ParseError, serialize } from "@marcbachmann/cel-js";
import type { ASTNode, ParseResult, SourceRange } from "@marcbachmann/cel-js";
import { bounded, RuleTimeout } from "./bounded";
import { RuleFault, SHAPES, type ObjectRule, type RuleVerdict } from "./ruleKind";
import { shownText } from "./shown";
import { isObject } from "../../foundation/json/isObject";

/** Expressions come from third parties, so their length, complexity and run time are limited. */
const LONGEST = 4096;
const LIMITS = { maxAstNodes: 2000, maxDepth: 64 };
const TIME_MS = 1000;
/** Maximum number of values to report per expression. */
const MAX_LISTED = 5;

const environment = new Environment({ enableOptionalTypes: true, limits: LIMITS }).registerVariable("self", "map");

export function parseCel(text: string): ObjectRule {
  const program = programOf(text);
  const operands = [...new Set(pathsIn(program.ast).map(serialize))]
    .slice(0, MAX_LISTED)
    .map((path) => ({ path, read: environment.parse(path) }));
  return {
    judge(live) {
      const self = valueOf(live);
      const found = (outcome = ""): string => {
        const values = operands.map(({ path, read }) => `${path} is ${shownText(live, textAt(read, self))}`).join(", ");
        return `${text}${outcome}${values === "" ? "" : `: ${values}`}`;
      };
      try {
        return bounded(TIME_MS, () => verdict(text, program, self, found));
      } catch (error) {
        if (!(error instanceof RuleTimeout)) throw error;
        return { holds: false, found: text, broken: `${text}: ${error.message}` };
      }
    },
  };
}

/** Throws for invalid CEL, and for expressions that can't be boolean. */
function programOf(text: string): ParseResult {
  if (text.length > LONGEST) throw new RuleFault(`found ${text.length} characters; expected at most ${LONGEST}`);
  let program: ParseResult;
  try {
    program = environment.parse(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new RuleFault(faultText(text, error));
  }
  const { type, error } = program.check();
  if (error) throw new RuleFault(faultText(text, error));
  if (type !== "bool" && type !== "dyn") {
    throw new RuleFault(`found ${quoted(text)}, which gives ${type}; expected what is true or false`);
  }
  return program;
}

const quoted = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text);

function faultText(text: string, { summary, range }: { summary: string; range?: SourceRange }): string {
  const place = range === undefined ? "" : ` at character ${range.start + 1}`;
  const [, name] = /^Unknown variable: (\w+)$/.exec(summary) ?? [];
  const hint = name === undefined ? SHAPES : `self.${name}: self is the object; ${SHAPES}`;
  return `found ${quoted(text)}: ${summary}${place}; expected ${hint}`;
}

function verdict(text: string, program: ParseResult, self: unknown, found: (why?: string) => string): RuleVerdict {
  try {
    const result: unknown = program({ self });
    if (result === true) return { holds: true, found: found() };
    // A null result may still change.
    if (result === false || result === null) return { holds: false, found: found(" is not true") };
    const broken = `${text} gives ${typeof result === "object" ? "a structure" : `a ${typeof result}`}; expected what is true or false`;
    return { holds: false, found: text, broken };
  } catch (error) {
    // Other errors are not about the object, for example a text that grew too long.
    const passes = error instanceof EvaluationError && error.code !== "invalid_regular_expression";
    const why = error instanceof EvaluationError ? error.summary : String(error);
    if (!passes) return { holds: false, found: text, broken: `${text}: ${why}` };
    // A field that does not exist yet is reported by its path.
    return { holds: false, found: found(error.code === "no_such_key" ? " is not true" : ` is not true (${why})`) };
  }
}

const textAt = (read: ParseResult, self: unknown): string => {
  try {
    const value: unknown = read({ self });
    return jsonOf(value instanceof Optional ? value.orValue(null) : value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return "";
  }
};

const jsonOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "string"
      ? value
      : (JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? Number(one) : one)) ?? "");

/** Converts JSON integers to CEL integers, as Kubernetes does. */
function valueOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(valueOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueOf(one)]));
}

const ACCESS = new Set([".", ".?", "[]", "[?]"]);

/** Returns the longest paths that start at the object, such as `self.status.conditions`. */
function pathsIn(node: ASTNode): ASTNode[] {
  if (isPath(node)) return node.op === "id" ? [] : [node];
  return nodesIn(node.args).flatMap(pathsIn);
}

function isPath(node: ASTNode): boolean {
  if (node.op === "id") return node.args === "self";
  if (!ACCESS.has(node.op)) return false;
  const [from, ...keys] = nodesIn(node.args);
  return from !== undefined && isPath(from) && keys.every(({ op }) => op === "value");
}

const nodesIn = (args: unknown): ASTNode[] =>
  Array.isArray(args) ? args.flatMap(nodesIn) : isObject(args) && "op" in args ? [args as unknown as ASTNode] : [];

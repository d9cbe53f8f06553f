/** The subset of CEL that means the same to the API server and to our evaluator. Pure. */

import { isObject } from "../../foundation/json/isObject";
import { isSharedPattern } from "./sharedPattern";

/** Conditions on the values under which an expression means the same in both. */
interface Conditions {
  /** No list has the type set or map, which Kubernetes concatenates and compares regardless of order. */
  readonly plainLists: boolean;
  /** All texts are ASCII: JavaScript counts, compares and converts other texts differently. */
  readonly plainTexts: boolean;
}

/** Printable ASCII, tabs and line breaks. */
export const isPlain = (text: string): boolean => /^[\t\n\x20-\x7e]*$/.test(text);

const OPERATORS: readonly unknown[] = [
  ...["id", "value", "list", "map", ".", "[]", ".?", "[?]", "?:", "||", "&&", "!_", "-_"],
  ...["==", "!=", "in", "+", "-", "*", "/", "%", "<", "<=", ">", ">="],
];
const COMPARISONS: readonly unknown[] = ["<", "<=", ">", ">="];
/** Supported functions by their numbers of arguments. Those in TEXT_METHODS only agree on ASCII texts. */
const CALLS: Readonly<Record<string, readonly number[]>> = { has: [1], size: [1], dyn: [1] };
const METHODS: Readonly<Record<string, readonly number[]>> = {
  ...{ all: [2], exists: [2], exists_one: [2], filter: [2], map: [2, 3] },
  ...{ size: [0], startsWith: [1], endsWith: [1], contains: [1], orValue: [1], hasValue: [0] },
};
const TEXT_METHODS: Readonly<Record<string, readonly number[]>> = {
  ...{ matches: [1], lowerAscii: [0], upperAscii: [0], trim: [0] },
  ...{ indexOf: [1], lastIndexOf: [1], substring: [1, 2], split: [1], join: [0, 1] },
};

/** Undefined for an expression with anything that may differ, such as conversions, timestamps and durations. */
export function celConditions(ast: unknown): Conditions | undefined {
  const found = { plainLists: false, plainTexts: false, isKnown: true, hasOnlyPlainTexts: true };
  visit(ast, (node) => {
    if (!isKnown(node)) found.isKnown = false;
    if (dependsOnOrder(node)) found.plainLists = true;
    if (COMPARISONS.includes(node.op) || Object.hasOwn(TEXT_METHODS, methodOf(node))) found.plainTexts = true;
    if (node.op === "value" && typeof node.args === "string" && !isPlain(node.args)) found.hasOnlyPlainTexts = false;
  });
  const { plainLists, plainTexts } = found;
  return found.isKnown && (!plainTexts || found.hasOnlyPlainTexts) ? { plainLists, plainTexts } : undefined;
}

interface Node {
  readonly op: unknown;
  readonly args: unknown;
  readonly meta?: unknown;
}

const isNode = (value: unknown): value is Node => isObject(value) && "op" in value && "args" in value;
const argsOf = ({ args }: Node): readonly unknown[] => (Array.isArray(args) ? args : [args]);
const methodOf = ({ op, args }: Node): string =>
  op === "rcall" && Array.isArray(args) && typeof args[0] === "string" ? args[0] : "";

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => visit(each, see));
  if (!isNode(value)) return;
  see(value);
  visit(value.args, see);
}

function isKnown(node: Node): boolean {
  const { op, args, meta } = node;
  if (op === "value") return args === null || ["string", "bigint", "number", "boolean"].includes(typeof args);
  // A name of a type or a library.
  if (op === "id") return !(isObject(meta) && meta["alternate"] !== undefined);
  if (op !== "call" && op !== "rcall") return OPERATORS.includes(op);
  const [name, ...rest] = argsOf(node);
  const given = rest.at(-1);
  if (typeof name !== "string" || !Array.isArray(given)) return false;
  const takes = (table: Readonly<Record<string, readonly number[]>>): boolean =>
    Object.hasOwn(table, name) && (table[name]?.includes(given.length) ?? false);
  if (op === "call") return takes(CALLS);
  if (name === "matches")
    return isSharedPattern(isNode(given[0]) && given[0].op === "value" ? given[0].args : undefined);
  return takes(METHODS) || takes(TEXT_METHODS);
}

/** Whether the result may depend on the order of a list, or on its type set or map. */
function dependsOnOrder(node: Node): boolean {
  const { op } = node;
  const operands = argsOf(node);
  const is = (wanted: string) => (operand: unknown) => isNode(operand) && operand.op === wanted;
  if (op === "+") return !operands.some(is("value"));
  if (op === "==" || op === "!=") return operands.some(isNewList);
  if (op === "in") return isNewList(operands[0]);
  if (op === "[]" || op === "[?]") return !(isNode(operands[1]) && typeof operands[1].args === "string");
  if (op === "list") return operands.some(isNewList);
  if (op === "map") return operands.flat().some(isNewList);
  const method = methodOf(node);
  if (method === "map") return isNewList((operands[2] as readonly unknown[]).at(-1));
  return method === "join";
}

/** A list that the expression creates is ordered, whatever the type of the lists that its items come from. */
function isNewList(value: unknown): boolean {
  if (!isNode(value)) return false;
  const [, second, third] = argsOf(value);
  if (value.op === "list") return true;
  if (value.op === "?:") return isNewList(second) || isNewList(third);
  const method = methodOf(value);
  return method === "map" || method === "filter" || (method === "orValue" && isNewList((third as unknown[])[0]));
}

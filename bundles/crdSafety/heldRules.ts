/** Whether validation rules of a schema hold for values that are there. */

import { isDeepStrictEqual } from "node:util";
import { Environment } from "@marcbachmann/cel-js";
import { isObject, type Json } from "../../foundation/json/isObject";
import { bounded } from "../rules/bounded";
import { byCode } from "../tree/tree";

/** An expression is somebody else's: its length, its parts and its time are bounded. */
const LONGEST = 4096;
const LIMITS = { maxAstNodes: 2000, maxDepth: 64 };
const TIME_MS = 1000;

/** Rules about a change hold for no state; names that CEL can't have are written with underscores, which nobody here undoes. */
const UNKNOWN = /\boldSelf\b|__/;

const environment = new Environment({ enableOptionalTypes: true, limits: LIMITS }).registerVariable("self", "dyn");

/**
 * Whether a rule is true of all values, which are as their schema says. Whatever is not certain is not: functions that
 * only Kubernetes has, values that have a type of their own in CEL there, an expression that takes long.
 */
export function ruleHolds(rule: string, schema: Json, values: readonly unknown[]): boolean {
  if (rule.length > LONGEST || UNKNOWN.test(rule)) return false;
  try {
    const program = environment.parse(rule);
    if (program.check().error) return false;
    const holds = (self: unknown): boolean => (program({ self }) as unknown) === true;
    if (joinsLists(program.ast))
      return bounded(TIME_MS, () => values.every((value) => holds(typed(value, schema, undefined))));
    return bounded(TIME_MS, () =>
      values.every((value) => {
        const [upwards, downwards] = [typed(value, schema, 1), typed(value, schema, -1)];
        // In both orders two of them are equal where they have the same items; a result that depends on the order is not certain.
        return holds(upwards) && (isDeepStrictEqual(upwards, downwards) || holds(downwards));
      }),
    );
  } catch {
    // Of whatever kind: it was not found to be true.
    return false;
  }
}

/**
 * Whether an expression may add lists, or compares one with a list that is written in it. For lists of type set and map
 * Kubernetes' CEL takes their union, and ignores the order.
 */
function joinsLists(ast: unknown): boolean {
  if (Array.isArray(ast)) return ast.some(joinsLists);
  if (!isObject(ast)) return false;
  const { op, args } = ast;
  const operands: readonly unknown[] = Array.isArray(args) ? args : [args];
  const isOf = (wanted: string) => (operand: unknown) => isObject(operand) && operand["op"] === wanted;
  if (op === "+" && !operands.some(isOf("value"))) return true;
  if ((op === "==" || op === "!=") && operands.some(isOf("list"))) return true;
  return operands.some(joinsLists);
}

/** Texts of these formats are no texts in Kubernetes' CEL. */
const FORMATS: readonly unknown[] = ["byte", "date", "date-time", "datetime", "duration"];
const UNORDERED: readonly unknown[] = ["set", "map"];

/**
 * A value as CEL has it: numbers by what the schema says of them, not by how they are written, and lists without an order
 * sorted, upwards or downwards. Throws for one of these where it may not be sorted.
 */
function typed(value: unknown, schema: unknown, direction: 1 | -1 | undefined): unknown {
  const { type, format, properties, items, additionalProperties, ...more }: Json = isObject(schema) ? schema : {};
  if (typeof value === "string" && FORMATS.includes(format)) throw new Error(`a text of the format ${String(format)}`);
  if (typeof value === "number") return type !== "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    const list = value.map((each) => typed(each, items, direction));
    if (!UNORDERED.includes(more["x-kubernetes-list-type"])) return list;
    if (direction === undefined) throw new Error("a list of type set or map");
    return sorted(list, direction);
  }
  if (!isObject(value)) return value;
  const fields = isObject(properties) ? properties : {};
  // In one order, so that equal items are equal texts.
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [
        key,
        typed(value[key], Object.hasOwn(fields, key) ? fields[key] : additionalProperties, direction),
      ]),
  );
}

function sorted(list: readonly unknown[], direction: 1 | -1): unknown[] {
  const text = (item: unknown): string =>
    JSON.stringify(item, (_key, part: unknown) => (typeof part === "bigint" ? Number(part) : part));
  const keyed = list.map((item) => [text(item), item] as const);
  return keyed.sort(([one], [other]) => direction * byCode(one, other)).map(([, item]) => item);
}

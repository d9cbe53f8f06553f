/** Whether validation rules of a schema hold for values that exist. */

import { isDeepStrictEqual } from "node:util";
import { Environment } from "@marcbachmann/cel-js";
import { isObject, type Json } from "../../foundation/json/isObject";
import { bounded } from "../rules/bounded";
import { byCode } from "../tree/tree";
import { conditionsOf, isPlain } from "./sharedCel";

/** An expression is another user's: its length, its parts and its time are bounded. */
const LONGEST = 4096;
const LIMITS = { maxAstNodes: 2000, maxDepth: 64 };
const TIME_MS = 1000;

/** Rules about a change hold for no state; names that CEL can't have are written with underscores, which nobody here undoes. */
const UNKNOWN = /\boldSelf\b|__/;

const environment = new Environment({ enableOptionalTypes: true, limits: LIMITS }).registerVariable("self", "dyn");

/**
 * Whether a rule is true of all values, which are as their schema says. Whatever is not certain is not: what does not mean
 * the same in Kubernetes, values that have a type of their own in CEL there, an expression that takes long.
 */
export function ruleHolds(rule: string, schema: Json, values: readonly unknown[]): boolean {
  if (rule.length > LONGEST || UNKNOWN.test(rule)) return false;
  try {
    const program = environment.parse(rule);
    if (program.check().error) return false;
    const conditions = conditionsOf(program.ast);
    if (conditions === undefined || (conditions.plainTexts && !hasOnlyPlainTexts(values))) return false;
    const holds = (self: unknown): boolean => (program({ self }) as unknown) === true;
    if (conditions.plainLists)
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

function hasOnlyPlainTexts(value: unknown): boolean {
  if (typeof value === "string") return isPlain(value);
  if (Array.isArray(value)) return value.every(hasOnlyPlainTexts);
  return !isObject(value) || Object.entries(value).flat().every(hasOnlyPlainTexts);
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
  if (typeof value === "number") {
    if (type === "number") return value;
    if (Number.isSafeInteger(value)) return BigInt(value);
    if (Number.isInteger(value)) throw new Error("an integer that was rounded");
    return value;
  }
  if (Array.isArray(value)) {
    const list = value.map((each) => typed(each, items, direction));
    if (!UNORDERED.includes(more["x-kubernetes-list-type"])) return list;
    if (direction === undefined) throw new Error("a list of type set or map");
    return sorted(list, direction);
  }
  if (value === null) throw new Error("null where no field is");
  if (!isObject(value)) return value;
  const fields = isObject(properties) ? properties : {};
  // In one order, so that equal items are equal texts.
  return Object.fromEntries(
    Object.keys(value)
      // Rules see no field that is null.
      .filter((key) => value[key] !== null || !Object.hasOwn(fields, key))
      .sort()
      .map((key) => {
        const inner = Object.hasOwn(fields, key) ? fields[key] : additionalProperties;
        const isMetadata = key === "metadata" && !hasContent(inner);
        if (!isMetadata && !isObject(inner) && !ALWAYS.includes(key)) throw new Error("a field that no rule can see");
        return [key, isMetadata ? seenMetadata(value[key]) : typed(value[key], inner, direction)];
      }),
  );
}

/** Every object has these, whatever its schema says. */
const ALWAYS: readonly string[] = ["apiVersion", "kind"];

const hasContent = (schema: unknown): boolean =>
  isObject(schema) && (schema["properties"] !== undefined || schema["additionalProperties"] !== undefined);

/** Rules see these two only, unless the schema says more. */
const seenMetadata = (metadata: unknown): Json =>
  isObject(metadata)
    ? Object.fromEntries(["name", "generateName"].flatMap((key) => (key in metadata ? [[key, metadata[key]]] : [])))
    : {};

function sorted(list: readonly unknown[], direction: 1 | -1): unknown[] {
  const text = (item: unknown): string =>
    JSON.stringify(item, (_key, part: unknown) => (typeof part === "bigint" ? Number(part) : part));
  const keyed = list.map((item) => [text(item), item] as const);
  return keyed.sort(([one], [other]) => direction * byCode(one, other)).map(([, item]) => item);
}

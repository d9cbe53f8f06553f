/** Checks whether validation rules of a schema hold for existing values. */

import { isDeepStrictEqual } from "node:util";
import { Environment } from "@marcbachmann/cel-js";
import { isObject, type Json } from "../../foundation/json/isObject";
import { bounded } from "../rules/bounded";
import { byCode } from "../tree/tree";
import { celConditions, isPlain } from "./sharedCel";

/** Expressions come from third parties, so their length, complexity and run time are limited. */
const LONGEST = 4096;
const LIMITS = { maxAstNodes: 2000, maxDepth: 64 };
const TIME_MS = 1000;

/** Transition rules can't be checked on a state. Escaped field names are not supported. */
const UNKNOWN = /\boldSelf\b|__/;

const environment = new Environment({ enableOptionalTypes: true, limits: LIMITS }).registerVariable("self", "dyn");

/**
 * Whether a rule is true for all values, which match the schema. Returns false if this is uncertain: for functions that
 * differ from Kubernetes, values with a special CEL type, or an expression that takes too long.
 */
export function ruleHolds(rule: string, schema: Json, values: readonly unknown[]): boolean {
  if (rule.length > LONGEST || UNKNOWN.test(rule)) return false;
  try {
    const program = environment.parse(rule);
    if (program.check().error) return false;
    const conditions = celConditions(program.ast);
    if (conditions === undefined || (conditions.plainTexts && !hasOnlyPlainTexts(values))) return false;
    const holds = (self: unknown): boolean => (program({ self }) as unknown) === true;
    if (conditions.plainLists)
      return bounded(TIME_MS, () => values.every((value) => holds(typed(value, schema, undefined))));
    return bounded(TIME_MS, () =>
      values.every((value) => {
        const [upwards, downwards] = [typed(value, schema, 1), typed(value, schema, -1)];
        // Kubernetes compares these lists regardless of order. The rule is evaluated with both orders, and counts only
        // if both agree.
        return holds(upwards) && (isDeepStrictEqual(upwards, downwards) || holds(downwards));
      }),
    );
  } catch {
    // Any error means that the rule is not known to hold.
    return false;
  }
}

function hasOnlyPlainTexts(value: unknown): boolean {
  if (typeof value === "string") return isPlain(value);
  if (Array.isArray(value)) return value.every(hasOnlyPlainTexts);
  return !isObject(value) || Object.entries(value).flat().every(hasOnlyPlainTexts);
}

/** In Kubernetes' CEL, texts of these formats have their own types. */
const FORMATS: readonly unknown[] = ["byte", "date", "date-time", "datetime", "duration"];
const UNORDERED: readonly unknown[] = ["set", "map"];

/**
 * Converts a value to its CEL type: numbers by the schema's type, and unordered lists sorted in this direction. Throws
 * for a list that can't be sorted.
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
  // Sorted keys, so that equal items have equal texts.
  return Object.fromEntries(
    Object.keys(value)
      // Rules don't see fields with the value null.
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

/** Every object has these fields, whatever its schema contains. */
const ALWAYS: readonly string[] = ["apiVersion", "kind"];

const hasContent = (schema: unknown): boolean =>
  isObject(schema) && (schema["properties"] !== undefined || schema["additionalProperties"] !== undefined);

/** Rules only see these two fields of the metadata, unless the schema defines more. */
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

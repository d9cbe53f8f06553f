/** Whether validation rules of a schema hold for values that are there. */

import { Environment } from "@marcbachmann/cel-js";
import { isObject, type Json } from "../../foundation/json/isObject";
import { bounded } from "../rules/bounded";

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
    return bounded(TIME_MS, () =>
      values.every((value) => (program({ self: typed(value, schema) }) as unknown) === true),
    );
  } catch {
    // Of whatever kind: it was not found to be true.
    return false;
  }
}

/** Texts of these formats are no texts in Kubernetes' CEL. */
const FORMATS: readonly unknown[] = ["byte", "date", "date-time", "datetime", "duration"];

/** A value as CEL has it: numbers by what the schema says of them, not by how they are written. */
function typed(value: unknown, schema: unknown): unknown {
  const { type, format, properties, items, additionalProperties }: Json = isObject(schema) ? schema : {};
  if (typeof value === "string" && FORMATS.includes(format)) throw new Error(`a text of the format ${String(format)}`);
  if (typeof value === "number") return type !== "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((each) => typed(each, items));
  if (!isObject(value)) return value;
  const fields = isObject(properties) ? properties : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typed(each, Object.hasOwn(fields, key) ? fields[key] : additionalProperties),
    ]),
  );
}

/** Compares two schemas field by field. */

import { isDeepStrictEqual } from "node:util";
import { isList } from "../../kubernetes/objects/objects";
import { shortValue, type Check } from "./checks";
import {
  compareBounds,
  compareDefaults,
  compareEnums,
  compareMerging,
  compareRules,
  compareTexts,
  schemaType,
  type ReportDifference,
} from "./values";
import { isObject, type Json } from "../../foundation/json/isObject";

/** A difference that may break something. */
interface SchemaDifference {
  readonly check: Check;
  readonly path: string;
  readonly was: string;
  readonly becomes: string;
  /** The complete expression of a new validation rule. */
  readonly rule?: string;
}

/** Keywords that are compared below; a change of any other keyword is reported as such. */
const COMPARED = new Set([
  ...["type", "enum", "pattern", "format", "default", "nullable", "required", "properties", "items", "multipleOf"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "additionalProperties"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
  ...["x-kubernetes-int-or-string", "x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields"],
  ...["x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"],
]);
/** Descriptive keywords without effect. */
const WORDS = new Set(["description", "title", "example", "externalDocs"]);

/**
 * Returns all differences that may break objects of the old schema when they are read with the new one. The root's path
 * is `^`.
 */
export function compareSchemas(old: Json, next: Json): SchemaDifference[] {
  const found: SchemaDifference[] = [];
  walk(old, next, "^", found);
  return found;
}

function walk(old: Json, next: Json, path: string, found: SchemaDifference[]): void {
  if (isDeepStrictEqual(old, next)) return;
  const report: ReportDifference = (check, was, becomes, at = path, rule = undefined) =>
    found.push({ check, path: at, was, becomes, ...(typeof rule === "string" && { rule }) });
  if (schemaType(old) !== schemaType(next)) {
    // With another type, comparing the contents would only repeat this.
    return report("typeChanged", schemaType(old), schemaType(next));
  }
  compareEnums(old, next, report);
  compareBounds(old, next, report);
  compareTexts(old, next, report);
  compareDefaults(old, next, report);
  compareRules(old, next, report);
  compareMerging(old, next, report);
  if (old["nullable"] === true && next["nullable"] !== true) report("nullableRemoved", "null too", "never null");
  compareRequired(old, next, path, report);
  compareFields(old, next, path, found, report);
  compareItems(old, next, path, found, report);
  compareOthers(old, next, report);
}

const objectAt = (schema: Json, key: string): Json => {
  const value = schema[key];
  return isObject(value) ? value : {};
};
const keepsUnknown = (schema: Json): boolean => schema["x-kubernetes-preserve-unknown-fields"] === true;
const namesIn = (value: unknown): string[] => (isList(value) ? value.filter((one) => typeof one === "string") : []);
/** A name that is not a plain identifier is quoted, as in JSONPath. */
const below = (path: string, name: string): string =>
  /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

/** A required field with a default is no violation, because the server fills it in. */
function compareRequired(old: Json, next: Json, path: string, report: ReportDifference): void {
  const before = new Set(namesIn(old["required"]));
  const fields = objectAt(next, "properties");
  for (const name of namesIn(next["required"])) {
    if (before.has(name) || objectAt(fields, name)["default"] !== undefined) continue;
    report("requiredFieldAdded", "optional", "required", below(path, name));
  }
}

function compareFields(old: Json, next: Json, path: string, found: SchemaDifference[], report: ReportDifference): void {
  const [before, after] = [objectAt(old, "properties"), objectAt(next, "properties")];
  for (const [name, schema] of Object.entries(before)) {
    const other = after[name];
    if (!isObject(schema)) continue;
    if (isObject(other)) walk(schema, other, below(path, name), found);
    else if (Object.hasOwn(after, name) || !keepsAll(next))
      report("fieldRemoved", schemaType(schema), "nothing", below(path, name));
  }
  // A field that is new in the schema may already have any value if unknown fields were kept.
  for (const [name, schema] of Object.entries(after)) {
    if (Object.hasOwn(before, name) || !isObject(schema)) continue;
    const values = old["additionalProperties"];
    if (isObject(values)) walk(values, schema, below(path, name), found);
    else if ((keepsUnknown(old) || values === true) && !isAnything(schema)) {
      report("typeChanged", "any value", schemaType(schema), below(path, name));
    }
  }
  compareMaps(old, next, path, found, report);
}

const isAnything = (schema: Json): boolean =>
  isDeepStrictEqual(
    Object.keys(schema).filter((key) => !WORDS.has(key)),
    ["x-kubernetes-preserve-unknown-fields"],
  ) && keepsUnknown(schema);
/** Whether unknown fields are neither dropped nor rejected. */
const keepsAll = (schema: Json): boolean =>
  (keepsUnknown(schema) && !isObject(schema["additionalProperties"])) || schema["additionalProperties"] === true;

function compareMaps(old: Json, next: Json, path: string, found: SchemaDifference[], report: ReportDifference): void {
  const [before, after] = [old["additionalProperties"], next["additionalProperties"]];
  const values = `${path}[*]`;
  if (isObject(before) && isObject(after)) return walk(before, after, values, found);
  const wasOpen = keepsAll(old);
  if (isObject(after)) {
    // Unknown fields were dropped until now, unless the schema kept them.
    if (wasOpen) report("typeChanged", "any value", schemaType(after), values);
    return;
  }
  if ((isObject(before) || wasOpen) && !keepsAll(next)) {
    report(
      "unknownFieldsDropped",
      wasOpen ? "any fields" : `any fields of ${schemaType(before as Json)}`,
      "only those with a schema",
    );
  }
}

function compareItems(old: Json, next: Json, path: string, found: SchemaDifference[], report: ReportDifference): void {
  const [before, after] = [old["items"], next["items"]];
  if (isObject(before) && isObject(after)) return walk(before, after, `${path}[*]`, found);
  if (!isDeepStrictEqual(before, after))
    report("typeChanged", `items ${shortValue(before)}`, `items ${shortValue(after)}`);
}

function compareOthers(old: Json, next: Json, report: ReportDifference): void {
  for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (COMPARED.has(key) || WORDS.has(key) || isDeepStrictEqual(old[key], next[key])) continue;
    report("unknownChange", `${key} ${shortValue(old[key])}`, `${key} ${shortValue(next[key])}`);
  }
}

/** Compares the schema keywords that are about single values. */

import { isDeepStrictEqual } from "node:util";
import { isList } from "../../kubernetes/objects/objects";
import { byCode } from "../tree/tree";
import { shortValue, type Check } from "./checks";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Reports a difference; `was` and `becomes` are texts for users. */
export type ReportDifference = (check: Check, was: string, becomes: string, path?: string, rule?: unknown) => void;

/** Type for messages, such as `integer or string` or `any value`. */
export function schemaType(schema: Json): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  if (schema["x-kubernetes-embedded-resource"] === true) return "an object of Kubernetes";
  return typeof schema["type"] === "string" ? schema["type"] : "any value";
}

export function compareEnums(old: Json, next: Json, report: ReportDifference): void {
  const [before, after] = [old["enum"], next["enum"]];
  if (!isList(after)) return;
  if (!isList(before)) return report("enumNarrowed", "any value", `one of ${shortValue(after)}`);
  const gone = before.filter((value) => !after.some((other) => isDeepStrictEqual(value, other)));
  if (gone.length > 0)
    report("enumNarrowed", `one of ${shortValue(before)}`, `one without ${gone.map(shortValue).join(", ")}`);
}

const LENGTHS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

export function compareBounds(old: Json, next: Json, report: ReportDifference): void {
  bound(
    "boundsNarrowed",
    "minimum",
    lowest(old),
    lowest(next),
    (was, is) => is.value > was.value || (is.value === was.value && is.exclusive && !was.exclusive),
    report,
  );
  bound(
    "boundsNarrowed",
    "maximum",
    highest(old),
    highest(next),
    (was, is) => is.value < was.value || (is.value === was.value && is.exclusive && !was.exclusive),
    report,
  );
  const [was, is] = [old["multipleOf"], next["multipleOf"]];
  if (typeof is === "number" && is !== was && !(typeof was === "number" && Number.isInteger(was / is))) {
    report("boundsNarrowed", keyword("multipleOf", was), keyword("multipleOf", is));
  }
  for (const [min, max] of LENGTHS) {
    const lower = (schema: Json) => length(schema[min]);
    const upper = (schema: Json) => length(schema[max]);
    // No lower limit is equal to a limit of zero.
    if ((lower(next) ?? 0) > (lower(old) ?? 0))
      report("lengthsNarrowed", keyword(min, lower(old)), keyword(min, lower(next)));
    if ((upper(next) ?? Infinity) < (upper(old) ?? Infinity))
      report("lengthsNarrowed", keyword(max, upper(old)), keyword(max, upper(next)));
  }
  if (next["uniqueItems"] === true && old["uniqueItems"] !== true)
    report("lengthsNarrowed", "items more than once", "each item once");
}

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

const boundAt = (schema: Json, key: string, exclusive: string): Bound | undefined => {
  const value = schema[key];
  return typeof value === "number" ? { value, exclusive: schema[exclusive] === true } : undefined;
};
const lowest = (schema: Json) => boundAt(schema, "minimum", "exclusiveMinimum");
const highest = (schema: Json) => boundAt(schema, "maximum", "exclusiveMaximum");
const length = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

function bound(
  check: Check,
  name: string,
  was: Bound | undefined,
  is: Bound | undefined,
  narrower: (was: Bound, is: Bound) => boolean,
  report: ReportDifference,
): void {
  if (is === undefined || (was !== undefined && !narrower(was, is))) return;
  const text = (one: Bound | undefined) => keyword(name, one?.value) + (one?.exclusive ? " itself excluded" : "");
  report(check, text(was), text(is));
}

const keyword = (name: string, value: unknown): string =>
  value === undefined ? `no ${name}` : `${name} ${shortValue(value)}`;

export function compareTexts(old: Json, next: Json, report: ReportDifference): void {
  for (const key of ["pattern", "format"]) {
    const [was, is] = [old[key], next[key]];
    if (is !== undefined && is !== was) report("patternChanged", keyword(key, was), keyword(key, is));
  }
}

export function compareDefaults(old: Json, next: Json, report: ReportDifference): void {
  if (isDeepStrictEqual(old["default"], next["default"])) return;
  report("defaultChanged", keyword("default", old["default"]), keyword("default", next["default"]));
}

/** Compares rules by their expressions; their messages don't matter. */
export function compareRules(old: Json, next: Json, report: ReportDifference): void {
  const before = rulesOf(old);
  for (const rule of rulesOf(next)) {
    if (!before.some((one) => isDeepStrictEqual(one, rule)))
      report("ruleAdded", "free of it", `the rule ${shortValue(rule.rule)}`, undefined, rule.rule);
  }
}

const rulesOf = (schema: Json): { rule: unknown; optionalOldSelf: unknown }[] => {
  const rules = schema["x-kubernetes-validations"];
  return (isList(rules) ? rules : []).filter(isObject).map(({ rule, optionalOldSelf }) => ({ rule, optionalOldSelf }));
};

const MERGING = {
  "x-kubernetes-list-type": "atomic",
  "x-kubernetes-list-map-keys": undefined,
  "x-kubernetes-map-type": "granular",
};

/** The order of the keys that identify items does not matter. */
const inOrder = (value: unknown): unknown => (isList(value) ? value.map(String).sort(byCode) : value);

export function compareMerging(old: Json, next: Json, report: ReportDifference): void {
  for (const [key, usual] of Object.entries(MERGING)) {
    const [was, is] = [inOrder(old[key] ?? usual), inOrder(next[key] ?? usual)];
    if (!isDeepStrictEqual(was, is)) report("mergeChanged", keyword(key, was), keyword(key, is));
  }
}

/** Integers that JavaScript can't represent exactly, and where that does not matter. */

import { type KubeObject, isCrd } from "../../kubernetes/objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

/** An inexact integer from YAML or JSON, until its position is known. */
export class Inexact {
  constructor(
    readonly text: string,
    readonly value: number,
  ) {}
}

/**
 * Replaces {@link Inexact} numbers by plain ones in place, where precision does not matter. Returns the fault of the
 * first other one.
 */
export function settleNumbers(value: unknown): string | undefined {
  if (value instanceof Inexact) return tooLarge(value.text);
  return find(value, (each, isLimit, put) => {
    if (!(each instanceof Inexact)) return undefined;
    if (!isLimit()) return tooLarge(each.text);
    put(each.value);
    return undefined;
  });
}

const tooLarge = (text: string): string =>
  `the number ${text.length > 40 ? `${text.slice(0, 40)}…` : text} is too large to be kept exactly; put it in quotes if it is a text`;

/** Like {@link settleNumbers} for values that were parsed elsewhere, where the original digits are lost. */
export const largeNumber = (value: unknown): string | undefined =>
  find(value, (each, isLimit) =>
    typeof each === "number" && Number.isInteger(each) && !Number.isSafeInteger(each) && !isLimit()
      ? `found a number near ${each}, which is too large to be kept exactly; put it in quotes if it is a text`
      : undefined,
  );

type Look = (each: unknown, isLimit: () => boolean, put: (other: unknown) => void) => string | undefined;

/** Returns the first fault of any nested value. */
function find(value: unknown, look: Look): string | undefined {
  const path: string[] = [];
  const walk = (holder: unknown): string | undefined => {
    if (typeof holder !== "object" || holder === null || holder instanceof Inexact) return undefined;
    for (const [key, each] of Object.entries(holder)) {
      path.push(key);
      const isLimit = (): boolean => isCrdLimit(value, path);
      const found = look(each, isLimit, (other) => ((holder as Json)[key] = other)) ?? walk(each);
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  };
  return walk(value);
}

/** Limits in schemas of CustomResourceDefinitions are floating point numbers for the API server, too. */
function isCrdLimit(value: unknown, path: readonly string[]): boolean {
  if (isDefinition(value)) return isLimit(path);
  const [first, index = "", ...rest] = path;
  const item = isObject(value) && first === "items" ? (value["items"] as Json)[index] : undefined;
  return isDefinition(item) && isLimit(rest);
}

const isDefinition = (value: unknown): boolean =>
  isObject(value) && typeof value["apiVersion"] === "string" && isCrd(value as KubeObject);

const LIMITS = new Set(["minimum", "maximum", "multipleOf"]);
/** Number of keys from one schema to a nested one. */
const STEPS = new Map([
  ...["items", "additionalProperties", "not"].map((key) => [key, 1] as const),
  ...["properties", "patternProperties", "allOf", "anyOf", "oneOf"].map((key) => [key, 2] as const),
]);

function isLimit(path: readonly string[]): boolean {
  const [spec, versions, , schema, root, ...rest] = path;
  if ([spec, versions, schema, root].join(".") !== "spec.versions.schema.openAPIV3Schema") return false;
  let at = 0;
  while (at < rest.length - 1) at += STEPS.get(rest[at] ?? "") ?? rest.length;
  return at === rest.length - 1 && LIMITS.has(rest[at] ?? "");
}

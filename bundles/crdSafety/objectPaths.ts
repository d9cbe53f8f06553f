/** Finds the values at the path of a finding, in objects and in their schema. */

import { isObject, type Json } from "../../foundation/json/isObject";

/** Splits a path such as `^.spec.list[*]["a.b"]` into keys; undefined for other texts. */
export function keysOf(path: string): string[] | undefined {
  const parts = path.slice(1).match(/\.[\w-]+|\[\*\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
  if (parts.join("") !== path.slice(1)) return undefined;
  return parts.map((part) =>
    part.startsWith(".") ? part.slice(1) : part === "[*]" ? "*" : (JSON.parse(part.slice(1, -1)) as string),
  );
}

/** The values at a path. */
export function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [value];
  if (typeof value !== "object") return [];
  if (key === "*") return Object.values(value).flatMap((each) => valuesAt(each, rest));
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}

/** The schema of the values at a path. */
export function schemaAt(schema: Json, keys: readonly string[]): Json | undefined {
  let found: unknown = schema;
  for (const key of keys) {
    if (!isObject(found)) return undefined;
    const { properties, items, additionalProperties } = found;
    found = key === "*" ? (items ?? additionalProperties) : isObject(properties) ? properties[key] : undefined;
  }
  return isObject(found) ? found : undefined;
}

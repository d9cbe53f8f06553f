import { isObject } from "./isObject";

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  listOf(value).filter(isObject);

/** The value at a path of keys; undefined if there is none. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** A string or number as text for a message; `otherwise` for any other value. */
export const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : otherwise;

/** Differences between two JSON objects, as the paths that `pulumi preview --diff` shows. Pure. */

import { isObject } from "../json/isObject";
import { UNKNOWN, type ChangeKind } from "./resource";

/**
 * Returns every path at which `next` differs from `old`, to the deepest level. Null and undefined count as absent, an
 * unknown value as different. `replaces` lists the top-level keys that can't change in place.
 */
export function changesBetween(
  old: object,
  next: object,
  replaces: readonly string[] = [],
): Record<string, ChangeKind> {
  const changes: Record<string, ChangeKind> = {};
  for (const key of keysOf(old, next)) {
    const found: Record<string, "add" | "delete" | "update"> = {};
    compare(property(old, key), property(next, key), segment("", key), found);
    for (const [path, kind] of Object.entries(found)) changes[path] = replaces.includes(key) ? `${kind}-replace` : kind;
  }
  return changes;
}

/** The top-level keys in which `next` differs from `old`. */
export const changedKeys = (old: object, next: object): string[] => Object.keys(changesBetween(old, next)).map(topKey);

/** The first key of a path. */
export const topKey = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

function compare(old: unknown, next: unknown, path: string, into: Record<string, "add" | "delete" | "update">): void {
  if (isAbsent(old) && isAbsent(next)) return;
  if (isAbsent(old)) into[path] = "add";
  else if (isAbsent(next)) into[path] = "delete";
  else if (next === UNKNOWN) into[path] = "update";
  else if (Array.isArray(old) && Array.isArray(next)) {
    for (let index = 0; index < Math.max(old.length, next.length); index++) {
      compare(old[index], next[index], `${path}[${index}]`, into);
    }
  } else if (isObject(old) && isObject(next)) {
    for (const key of keysOf(old, next)) compare(property(old, key), property(next, key), segment(path, key), into);
  } else if (old !== next) into[path] = "update";
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const keysOf = (...objects: object[]): Set<string> => new Set(objects.flatMap((object) => Object.keys(object)));
const property = (object: object, key: string): unknown =>
  Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;

function segment(path: string, key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return path === "" ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

/** Differences between two JSON objects, as the paths that `pulumi preview --diff` shows. */

import { status } from "@grpc/grpc-js";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { refusal } from "./errors";
import { UNKNOWN } from "../../foundation/pulumi/resource";
import type { ChangeKind, Difference } from "../../foundation/pulumi/resource";
import { isObject } from "../../foundation/json/isObject";

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

const KINDS: Record<ChangeKind, PropertyDiff.Kind> = {
  add: PropertyDiff.Kind.ADD,
  "add-replace": PropertyDiff.Kind.ADD_REPLACE,
  delete: PropertyDiff.Kind.DELETE,
  "delete-replace": PropertyDiff.Kind.DELETE_REPLACE,
  update: PropertyDiff.Kind.UPDATE,
  "update-replace": PropertyDiff.Kind.UPDATE_REPLACE,
};

/**
 * Encodes a difference in the three forms that the engine requires: in detail, as top-level names, and as names that
 * force a replacement.
 */
export function encodeDifference(difference: Difference): DiffResponse {
  const response = new DiffResponse();
  const entries = Object.entries(difference.changes);
  const top = (paths: [string, ChangeKind][]) => [...new Set(paths.map(([path]) => topLevel(path)))];
  response.setChanges(entries.length === 0 ? DiffResponse.DiffChanges.DIFF_NONE : DiffResponse.DiffChanges.DIFF_SOME);
  response.setDiffsList(top(entries));
  response.setReplacesList(top(entries.filter(([, kind]) => kind.endsWith("-replace"))));
  response.setDeletebeforereplace(difference.deleteBeforeReplace ?? false);
  response.setHasdetaileddiff(true);
  for (const [path, kind] of entries) {
    response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(KINDS[kind]).setInputdiff(true));
  }
  return response;
}

/** Returns the top-level key of a path: `hosts[2].slots` gives `hosts`. */
function topLevel(path: string): string {
  const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(path);
  if (quoted) return JSON.parse(`"${quoted[1]}"`) as string;
  const plain = /^[^.[]+/.exec(path);
  if (!plain)
    throw refusal(status.INTERNAL, `a difference has the path ${JSON.stringify(path)}, which names no property`);
  return plain[0];
}

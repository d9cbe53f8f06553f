/** Compares a live object with the dry run of applying it again, and converts it to an input. Pure. */

import { isDeepStrictEqual } from "node:util";
import { withoutOwnerId } from "../identity/ownerId";
import { without, type KubeObject } from "../objects/objects";
import { bytesOf } from "../objects/bytes";
import { isObject, type Json } from "../../foundation/json/isObject";

/**
 * Whether applying it again would change nothing relevant. Both objects come from the API server, so they include
 * defaults.
 */
export function isAsApplied(live: KubeObject, dryRun: KubeObject): boolean {
  return isDeepStrictEqual(comparable(live), comparable(dryRun));
}

function comparable(object: KubeObject): unknown {
  const metadata = without(withoutOwnerId(object).metadata, "managedFields", "resourceVersion", "generation");
  return { ...without(object, "status"), metadata };
}

/**
 * Returns the input that would produce the live object: every field of the given input, with its live value. If this
 * equals the given input, the drift is in a field that the input does not have, and a mark is added to it.
 */
export function asInput(live: KubeObject, given: KubeObject): KubeObject {
  const projected = project(live, given) as KubeObject;
  return isDeepStrictEqual(projected, given) ? withSign(given) : projected;
}

/** Adds a mark that no program's input has, so that the next update sees a change. */
const withSign = (given: KubeObject): KubeObject => ({
  ...given,
  metadata: { ...given.metadata, annotations: { ...given.metadata.annotations, "stackyard.dev/drifted": "true" } },
});

/** Returns every field of `given`, with its live value. */
export function project(live: unknown, given: unknown): unknown {
  if (given === null || given === undefined) return given;
  if (Array.isArray(given)) return Array.isArray(live) ? projectList(live, given) : live;
  if (isObject(given)) {
    // The API server drops empty values.
    if (Object.keys(given).length === 0 && live === undefined) return given;
    return isObject(live) ? projectObject(live, given) : live;
  }
  return isSame(live, given) ? given : live;
}

function projectObject(live: Json, given: Json): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(given)) {
    // Write-only: the API server converts it to `data`.
    const projected = key === "stringData" && live["kind"] === "Secret" ? value : project(live[key], value);
    if (projected !== undefined) result[key] = projected;
  }
  return result;
}

/** Keys that identify items in a list of objects. */
const KEYS = ["name", "key", "mountPath", "containerPort", "port", "ip", "host", "type", "path"];

function projectList(live: readonly unknown[], given: readonly unknown[]): unknown[] {
  if (given.length === 0) return live.length === 0 ? [] : [...live];
  const key = KEYS.find((name) => identifies(name, given));
  if (key === undefined) {
    if (given.every((item) => isObject(item)))
      return given.flatMap((item, index) => (index in live ? [project(live[index], item)] : []));
    return isDeepStrictEqual(live, given) ? [...given] : [...live];
  }
  return given.flatMap((item) => {
    const wanted = (item as Json)[key];
    const found = live.find((one) => isObject(one) && isSame(one[key], wanted));
    return found === undefined ? [] : [project(found, item)];
  });
}

/** Ports 53 of two protocols have one `port`, so that doesn't identify them. */
function identifies(name: string, items: readonly unknown[]): boolean {
  const values = new Set(items.map((item) => (isObject(item) ? item[name] : undefined)));
  return values.size === items.length && !values.has(undefined);
}

/** Whether two values are equal despite different notations: 1 and "1", "0.5" and "500m", 42949672960 and "40Gi". */
function isSame(live: unknown, given: unknown): boolean {
  if (live === given) return true;
  if (typeof live === "boolean" || typeof given === "boolean") return false;
  const [a, b] = [preciseOf(live), preciseOf(given)];
  return a !== undefined && a === b;
}

/** In thousandths, so that 500m is exact. */
function preciseOf(value: unknown): number | undefined {
  if (typeof value === "number") return Math.round(value * 1000);
  if (typeof value !== "string") return undefined;
  const milli = /^(\d+)m$/.exec(value)?.[1];
  if (milli !== undefined) return Number(milli);
  if (/^\d*\.?\d+$/.test(value)) return Math.round(Number(value) * 1000);
  const bytes = bytesOf(value);
  return bytes === undefined ? undefined : bytes * 1000;
}

import * as z from "zod";
import { isObject } from "../json/isObject";
import type { Path } from "./faults";

/**
 * Finds the secret values of a document by its schema. A field with `writeOnly` is secret. A field marked with
 * {@link secretWhere} is secret if the neighbouring field is true.
 */

const NEIGHBOURS = z.registry<{ readonly neighbour: string }>();

/** Marks a field as secret in objects whose field `neighbour` is true. */
export function secretWhere<S extends z.ZodType>(neighbour: string, field: S): S {
  NEIGHBOURS.add(field, { neighbour });
  return field;
}

/** Paths of the secret values in `value`, which need not be valid. */
export function secretPaths(schema: z.core.$ZodType, value: unknown): Path[] {
  const found = new Map<string, Path>();
  collect(schema, value, { path: [], parent: undefined }, found);
  return [...found.values()];
}

/** Returns a copy with `change` applied to each secret value. */
export function mapSecrets<T>(schema: z.core.$ZodType, value: T, change: (secret: unknown, path: Path) => unknown): T {
  return secretPaths(schema, value).reduce<unknown>((whole, path) => replaced(whole, path, path, change), value) as T;
}

function replaced(value: unknown, left: Path, path: Path, change: (secret: unknown, path: Path) => unknown): unknown {
  const [step, ...rest] = left;
  if (step === undefined) return change(value, path);
  const inner = replaced((value as Record<string | number, unknown>)[step], rest, path, change);
  if (Array.isArray(value)) return value.with(Number(step), inner);
  return { ...(value as object), [step]: inner };
}

interface Spot {
  readonly path: Path;
  readonly parent: unknown;
}

function collect(schema: z.core.$ZodType, value: unknown, spot: Spot, found: Map<string, Path>): void {
  if (value === undefined || value === null) return;
  if (isSecret(schema, spot.parent)) {
    found.set(JSON.stringify(spot.path), spot.path);
    return;
  }
  const within = (inner: z.core.$ZodType, key: string | number, each: unknown): void =>
    collect(inner, each, { path: [...spot.path, key], parent: value }, found);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // Optional, nullable, default and similar wrappers.
  if ("innerType" in def) return collect(def.innerType, value, spot, found);
  if (def.type === "pipe") return collect(def.in, value, spot, found);
  if (def.type === "lazy") return collect(def.getter(), value, spot, found);
  if (def.type === "union") return def.options.forEach((option) => collect(option, value, spot, found));
  if (def.type === "intersection") return [def.left, def.right].forEach((side) => collect(side, value, spot, found));
  if (def.type === "array" && Array.isArray(value)) value.forEach((each, index) => within(def.element, index, each));
  if (!isObject(value)) return;
  if (def.type === "record") Object.entries(value).forEach(([key, each]) => within(def.valueType, key, each));
  if (def.type !== "object") return;
  for (const [key, field] of Object.entries(def.shape)) {
    if (Object.hasOwn(value, key)) within(field, key, value[key]);
  }
}

function isSecret(schema: z.core.$ZodType, parent: unknown): boolean {
  if (z.globalRegistry.get(schema)?.["writeOnly"] === true) return true;
  const neighbour = NEIGHBOURS.get(schema)?.neighbour;
  return neighbour !== undefined && isObject(parent) && parent[neighbour] === true;
}

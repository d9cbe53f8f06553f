/** The features that are components of the package, and where their arguments are in a config. */

import type * as z from "zod";
import type { ComponentDoc } from "../../components/contract/facts";
import type { Feature, Keys } from "../../components/feature";
import { FEATURES } from "../../components/features";
import { isObject, type Json } from "../../foundation/json/isObject";
import type { Path } from "../../foundation/schema/faults";
import { tokenOf } from "../resources/registry";

/** A feature with its component. */
export interface Published {
  readonly feature: Feature;
  readonly component: ComponentDoc;
}

const features: readonly Feature[] = FEATURES;

/** By type token. */
export const PUBLISHED: ReadonlyMap<string, Published> = new Map(
  features.flatMap((feature) =>
    feature.component ? [[tokenOf(feature.component.name), { feature, component: feature.component }]] : [],
  ),
);

const NAME = "<name>";

/** A path of a contract for the component `name`. */
export const pathOf = (at: readonly string[], name: string): string[] =>
  at.map((step) => (step === NAME ? name : step));

/** Schema of a place in the config. */
export const schemaAt = (keys: Keys, at: readonly string[]): z.ZodType =>
  at.reduce<z.ZodType | undefined>((schema, step) => (schema ? partOf(schema, step) : keys[step]), undefined)!;

function partOf(schema: z.ZodType, step: string): z.ZodType | undefined {
  const { def } = bare(schema)._zod;
  if (def.type === "record") return def.valueType as z.ZodType;
  return def.type === "object" ? (def.shape[step] as z.ZodType) : undefined;
}

/** Without wrappers such as optional. */
function bare(schema: z.ZodType): z.core.$ZodTypes {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  return "innerType" in def ? bare(def.innerType as z.ZodType) : (schema as unknown as z.core.$ZodTypes);
}

/** The arguments that the fields of a place are, without those that have the component's name. */
export function fieldsOf(
  { feature }: Published,
  { at, argument, named = [], omit = [] }: ComponentDoc["places"][number],
): string[] {
  if (argument !== undefined) return [];
  const { def } = bare(schemaAt(feature.keys, at))._zod;
  return def.type === "object"
    ? Object.keys(def.shape).filter((field) => !named.includes(field) && !omit.includes(field))
    : [];
}

/** The config that arguments stand for. What no place knows is put in the first one, whose schema names it. */
export function configFor(one: Published, name: string, { cluster, ...args }: Json): Json {
  const values: Json = {
    cluster: isObject(cluster) || cluster === undefined ? { ...cluster, type: "existing" } : cluster,
  };
  const { places } = one.component;
  for (const { at, argument, named = [] } of places) {
    if (argument === undefined) Object.assign(within(values, pathOf(at, name)), nameAs(named, name));
  }
  for (const [key, value] of Object.entries(args)) {
    const place = places.find((each) => each.argument === key || fieldsOf(one, each).includes(key)) ?? places[0]!;
    const path = [...pathOf(place.at, name), ...(place.argument === undefined ? [key] : [])];
    within(values, path.slice(0, -1))[path.at(-1)!] = value;
  }
  return values;
}

const nameAs = (fields: readonly string[], name: string): Json =>
  Object.fromEntries(fields.map((field) => [field, name]));

/** The object at a path, which is created if it is missing. */
const within = (values: Json, path: readonly string[]): Json =>
  path.reduce<Json>((outer, step) => (outer[step] ??= {}) as Json, values);

/** The argument that a path of the config stands for. */
export function argumentAt({ component }: Published, name: string, path: Path): Path {
  for (const { at, argument } of component.places) {
    const base = pathOf(at, name);
    if (!base.every((step, index) => step === path[index])) continue;
    const rest = path.slice(base.length);
    if (argument !== undefined) return [argument, ...rest];
    return rest.length === 0 ? ["name"] : rest;
  }
  return path;
}

/** The features that are components of the package, and where their arguments are in a config. */

import type * as z from "zod";
import type { ComponentDoc } from "../../components/contract/facts";
import type { Feature, Keys } from "../../components/feature";
import { COMPONENTS } from "../../components/features";
import { isObject, type Json } from "../../foundation/json/isObject";
import { renderPath, type Path } from "../../foundation/schema/faults";
import { tokenOf } from "../resources/registry";

/** A feature with its component. */
export interface Published {
  readonly feature: Feature;
  /** What makes the component: the feature upon a cluster, and what the settings of a cluster enable. */
  readonly features: readonly Feature[];
  readonly component: ComponentDoc;
}

/** The key, and the argument, for the cluster. */
const CLUSTER = "cluster";

/** By type token. */
export const PUBLISHED: ReadonlyMap<string, Published> = new Map(
  COMPONENTS.flatMap((feature) => (feature.component ? [published(feature, feature.component)] : [])),
);

function published(feature: Feature, component: ComponentDoc): [string, Published] {
  const isNeeded = (one: Feature): boolean =>
    one === feature || CLUSTER in one.keys || Object.keys(one.keys).length === 0;
  return [tokenOf(component.name), { feature, features: COMPONENTS.filter(isNeeded), component }];
}

/** Whether a component takes a cluster. */
export const takesCluster = ({ feature, component }: Published): boolean =>
  component.cluster !== "none" && !(CLUSTER in feature.keys);

const NAME = "<name>";

/** A path of a contract for the component `name`. */
export const pathOf = (at: readonly string[], name: string): string[] =>
  at.map((step) => (step === NAME ? name : step));

/** Schema of a place in the config. */
export function schemaAt(keys: Keys, [key, ...names]: readonly string[]): z.ZodType {
  return names.reduce<z.ZodType>((schema) => {
    const { def } = bare(schema)._zod;
    return def.type === "record" ? (def.valueType as z.ZodType) : schema;
  }, keys[key!]!);
}

/** The fields of an object, or of the variants of one. */
function fieldsIn(schema: z.ZodType): string[] {
  const { def } = bare(schema)._zod;
  if (def.type === "union") return [...new Set(def.options.flatMap((option) => fieldsIn(option as z.ZodType)))];
  return def.type === "object" ? Object.keys(def.shape) : [];
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
  return fieldsIn(schemaAt(feature.keys, at)).filter((field) => !named.includes(field) && !omit.includes(field));
}

/** Names of all arguments. */
export const argumentsOf = (one: Published): string[] => [
  ...(takesCluster(one) ? [CLUSTER] : []),
  ...one.component.places.flatMap((place) => place.argument ?? fieldsOf(one, place)),
];

/** The config that arguments stand for. What is no argument is skipped. */
export function configFor(one: Published, name: string, given: Json): Json {
  const { places, cluster: need } = one.component;
  const { [CLUSTER]: cluster, ...rest } = given;
  const args = takesCluster(one) ? rest : given;
  const values: Json = {};
  if (args !== given && (cluster !== undefined || need === undefined))
    values[CLUSTER] = isObject(cluster) || cluster === undefined ? { ...cluster, type: "existing" } : cluster;
  for (const { at, argument, named = [] } of places) {
    if (argument === undefined) Object.assign(within(values, pathOf(at, name)), nameAs(named, name));
  }
  for (const [key, value] of Object.entries(args)) {
    const place = places.find((each) => each.argument === key || fieldsOf(one, each).includes(key));
    if (place === undefined) continue;
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

/** A message with the component's arguments in place of paths of a config. */
export function inArguments(one: Published, name: string, message: string): string {
  const places = takesCluster(one)
    ? [...one.component.places, { at: [CLUSTER], argument: CLUSTER }]
    : one.component.places;
  return places.reduce((text, { at, argument }) => {
    const own = argument === undefined ? name : `${name}.${argument}`;
    return text.replaceAll(`stackyard:${renderPath(pathOf(at, name))}`, own);
  }, message);
}

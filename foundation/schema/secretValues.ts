import * as z from "zod";
import { isObject, type Json } from "../json/isObject";
import { FOREIGN_SECRET } from "./describe";
import type { Path } from "./faults";

/**
 * Which values of a document are secret. Only its schema says so: a field is marked with {@link secret},
 * {@link secretWhere} or {@link concealed}, and everything that masks, encrypts or separates values asks here.
 */

type Schema = z.core.$ZodType;

interface Mark {
  /** Whether a text needs no encryption, such as a URL without a password. */
  readonly mayBePlain?: (text: string) => boolean;
  /** The value is secret if this field beside it is true. Without one, the value is only concealed. */
  readonly neighbour?: string | null;
}

const MARKS = z.registry<Mark>();

/** Marks a field as secret. */
export function secret<S extends z.ZodType>(field: S, mark: Pick<Mark, "mayBePlain"> = {}): S {
  const marked = field.meta({ writeOnly: true });
  if (mark.mayBePlain) MARKS.add(marked, mark);
  return marked;
}

/** Marks a field as secret in objects whose field `neighbour` is true. */
export function secretWhere<S extends z.ZodType>(neighbour: string, field: S): S {
  MARKS.add(field, { neighbour });
  return field;
}

/** Marks a field that holds a secret only by mistake, such as a text in place of a reference. Messages don't show it. */
export function concealed<S extends z.ZodType>(field: S): S {
  MARKS.add(field, { neighbour: null });
  return field;
}

/** A schema of a value. */
interface Layer {
  readonly schema: Schema;
  /** Whether it, or what it is in, is marked as secret. */
  readonly secret: boolean;
  readonly mayBePlain?: Mark["mayBePlain"];
}

/** All schemas of one value: behind wrappers such as optional, and all alternatives. */
function layers(outer: Layer): Layer[] {
  const { schema } = outer;
  const secret = outer.secret || z.globalRegistry.get(schema)?.["writeOnly"] === true;
  const layer = { schema, secret, mayBePlain: MARKS.get(schema)?.mayBePlain ?? outer.mayBePlain };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  let inner: readonly Schema[] = [];
  if ("innerType" in def) inner = [def.innerType];
  else if (def.type === "pipe") inner = [def.in, def.out];
  else if (def.type === "lazy") inner = [def.getter()];
  else if (def.type === "union") inner = def.options;
  else if (def.type === "intersection") inner = [def.left, def.right];
  return [layer, ...inner.flatMap((each) => layers({ ...layer, schema: each }))];
}

/** Schema of a part of a value; none if the schema does not know the part. */
function partOf(layer: Layer, step: string | number): Layer[] {
  const { def } = (layer.schema as z.core.$ZodTypes)._zod;
  let known: Schema | undefined;
  if (def.type === "array" && typeof step === "number") known = def.element;
  else if (def.type === "record") known = def.valueType;
  else if (def.type === "object") known = Object.hasOwn(def.shape, step) ? def.shape[step] : def.catchall;
  return known === undefined || known._zod.def.type === "never" ? [] : [{ ...layer, schema: known }];
}

const isFree = ({ schema, secret }: Layer): boolean => !secret && ["any", "unknown"].includes(schema._zod.def.type);

/** Whether a value at `path` may hold a secret, and so must not be shown. It need not be valid. */
export const isSecretAt = (schema: Schema, path: Path): boolean => mayBeSecret([{ schema, secret: false }], path);

function mayBeSecret(at: readonly Layer[], path: Path): boolean {
  const all = at.flatMap(layers);
  const [step, ...rest] = path;
  const parts = step === undefined ? [] : all.flatMap((layer) => partOf(layer, step));
  if (!parts.every(isFree)) return mayBeSecret(parts, rest);
  if (path.some((name) => FOREIGN_SECRET.test(String(name)))) return true;
  // A text in place of an object may be one of the secrets that belong into the object.
  return parts.length === 0 && all.some(isHidden);
}

const isHidden = ({ schema, secret }: Layer): boolean =>
  secret || MARKS.get(schema)?.neighbour !== undefined || holdsSecret(schema);

const HOLDERS = new WeakMap<Schema, boolean>();

/** Whether a schema has a secret field, at any depth. */
function holdsSecret(schema: Schema): boolean {
  const known = HOLDERS.get(schema);
  if (known !== undefined) return known;
  HOLDERS.set(schema, false); // A schema may contain itself.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  let parts: Schema[] = [];
  if (def.type === "object") parts = Object.values(def.shape);
  else if (def.type === "record") parts = [def.valueType];
  else if (def.type === "array") parts = [def.element];
  const holds = parts.some((part) => layers({ schema: part, secret: false }).some(isHidden));
  HOLDERS.set(schema, holds);
  return holds;
}

/** Paths of the secret values in `value`, which need not be valid. */
export const secretPaths = (schema: Schema, value: unknown): Path[] =>
  pathsWhere(schema, value, ({ schema: one, secret }, { parent }) => {
    const neighbour = MARKS.get(one)?.neighbour ?? undefined;
    return secret || (neighbour !== undefined && isObject(parent) && parent[neighbour] === true);
  });

/** Paths of the secret texts in `value` that must not be stored in plain text. */
export const plainSecrets = (schema: Schema, value: unknown): Path[] =>
  pathsWhere(
    schema,
    value,
    ({ secret, mayBePlain }, { value: text }) => secret && typeof text === "string" && mayBePlain?.(text) !== true,
  );

/** Paths of the outermost values of which `is` accepts a schema. */
export function pathsWhere(
  schema: Schema,
  whole: unknown,
  is: (layer: Layer, place: { readonly value: unknown; readonly parent: unknown }) => boolean,
): Path[] {
  const found: Path[] = [];
  const visit = (at: readonly Layer[], value: unknown, parent: unknown, path: Path): void => {
    if (value === undefined || value === null) return;
    const all = fitting(at.flatMap(layers), value);
    if (all.some((layer) => is(layer, { value, parent }))) found.push(path);
    else if (typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) {
        const step = Array.isArray(value) ? Number(key) : key;
        const parts = all.flatMap((layer) => partOf(layer, step));
        if (parts.length > 0) visit(parts, inner, value, [...path, step]);
      }
    }
  };
  visit([{ schema, secret: false }], whole, undefined, []);
  return found;
}

/** Of alternatives such as a text or an object, those for this value. */
function fitting(all: readonly Layer[], value: unknown): readonly Layer[] {
  const isObjects = ({ schema }: Layer): boolean => ["object", "record", "array"].includes(schema._zod.def.type);
  if (typeof value !== "object" || !all.some(isObjects)) return all;
  return all.filter(({ schema }) => schema._zod.def.type !== "string");
}

type Change = (value: unknown, path: Path) => unknown;

/** Returns a copy with `change` applied to each secret value. */
export const mapSecrets = <T>(schema: Schema, value: T, change: Change): T =>
  mapPaths(secretPaths(schema, value), value, change);

/** Returns a copy with `change` applied to the value at each path. */
export const mapPaths = <T>(paths: readonly Path[], value: T, change: Change): T =>
  paths.reduce<unknown>((whole, path) => replaced(whole, path, path, change), value) as T;

function replaced(value: unknown, left: Path, path: Path, change: Change): unknown {
  const [step, ...rest] = left;
  if (step === undefined) return change(value, path);
  const inner = replaced((value as Record<string | number, unknown>)[step], rest, path, change);
  if (Array.isArray(value)) return value.with(Number(step), inner);
  return { ...(value as object), [step]: inner };
}

/** Separates the secret values of an object from the others, each in its place. Omits empty objects. */
export function divideSecrets(schema: Schema, value: object): { readonly open: Json; readonly secret: Json } {
  // A list with a secret is secret as a whole, so that its entries keep their indexes.
  const paths = secretPaths(schema, value).map((path) => path.slice(0, [...path, 0].findIndex(Number.isInteger)));
  const secrets = new Set(paths.map((path) => JSON.stringify(path)));
  const divide = (each: object, at: Path): { readonly open: Json; readonly secret: Json } => {
    const [open, secret]: [Json, Json] = [{}, {}];
    for (const [key, inner] of Object.entries(each) as [string, unknown][]) {
      const path = [...at, key];
      if (secrets.has(JSON.stringify(path))) secret[key] = inner;
      else if (isObject(inner)) {
        const parts = divide(inner, path);
        if (Object.keys(parts.open).length > 0) open[key] = parts.open;
        if (Object.keys(parts.secret).length > 0) secret[key] = parts.secret;
      } else if (inner !== undefined) open[key] = inner;
    }
    return { open, secret };
  };
  return divide(value, []);
}

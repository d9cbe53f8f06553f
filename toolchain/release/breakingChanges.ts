/**
 * `npx tsx toolchain/release/breakingChanges.ts` records what a release promises to programs in any language, in
 * `released.json`: the arguments and outputs in the package's schema. A test compares later schemas with it.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../root";

interface Type {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Type;
  readonly additionalProperties?: Type;
  readonly oneOf?: readonly Type[];
  readonly default?: unknown;
  /** Ends with the default of a field of an object. */
  readonly description?: string;
}

interface Fields {
  readonly properties?: Readonly<Record<string, Type>>;
  readonly required?: readonly string[];
}

interface Schema {
  readonly version: string;
  readonly types: Readonly<Record<string, Fields & { readonly enum?: readonly { readonly value: unknown }[] }>>;
  readonly resources: Readonly<
    Record<
      string,
      Fields & { readonly inputProperties?: Fields["properties"]; readonly requiredInputs?: Fields["required"] }
    >
  >;
}

/**
 * By path: `Ingress(dns).zones` is an argument, `JupyterHub.url` an output, `*` any key or item, `|Name` one of several
 * types. A value is the type, with `required` before and the default after it: `required "a" | "b" = "a"`.
 */
type Promises = Readonly<Record<string, string>>;

export interface Released {
  readonly version: string;
  readonly promises: Promises;
}

const short = (token: string): string => token.split(/[:/]/).at(-1) ?? "";

/** What programs rely on in a package's schema. */
export function promisesOf({ types, resources }: Pick<Schema, "types" | "resources">): Promises {
  const found: Record<string, string> = {};
  const addFields = (
    at: (key: string) => string,
    { properties = {}, required = [] }: Fields,
    above: string[],
  ): void => {
    for (const [key, type] of Object.entries(properties)) add(at(key), type, required.includes(key), above);
  };
  const named = (type: Type): string => {
    if (type.oneOf) return type.oneOf.map(named).join(" | ");
    const values = types[(type.$ref ?? "").replace("#/types/", "")]?.enum;
    if (values) return values.map(({ value }) => JSON.stringify(value)).join(" | ");
    return type.$ref ? short(type.$ref) : (type.type ?? "");
  };
  const add = (path: string, type: Type, isRequired: boolean, above: string[]): void => {
    const described = /Default: `([^`]*)`\.$/.exec(type.description ?? "")?.[1];
    const value = type.default === undefined ? described : JSON.stringify(type.default);
    const preset = value === undefined ? "" : ` = ${value}`;
    found[path] = `${isRequired ? "required " : ""}${named(type)}${preset}`;
    addParts(path, type, above);
  };
  const addParts = (path: string, type: Type, above: string[]): void => {
    for (const inner of [type.items, type.additionalProperties]) if (inner) add(`${path}.*`, inner, false, above);
    for (const each of type.oneOf ?? []) {
      const one = each.$ref ? `${path}|${short(each.$ref)}` : path;
      found[one] ??= "object";
      addParts(one, each, above);
    }
    const { $ref = "" } = type;
    const fields = types[$ref.replace("#/types/", "")];
    // A type may contain itself.
    if (fields && !above.includes($ref)) addFields((key) => `${path}.${key}`, fields, [...above, $ref]);
  };
  for (const [token, { inputProperties = {}, requiredInputs = [], ...outputs }] of Object.entries(resources)) {
    const name = short(token);
    found[name] = "resource";
    addFields((key) => `${name}(${key})`, { properties: inputProperties, required: requiredInputs }, []);
    addFields((key) => `${name}.${key}`, outputs, []);
  }
  return found;
}

/** Whether it is an argument, or part of one. */
const isArgument = (path: string): boolean => path.includes("(");

function parsed(promise: string): { isRequired: boolean; types: readonly string[]; preset: string | undefined } {
  const [, required, types = "", preset] = /^(required )?(.*?)(?: = (.*))?$/s.exec(promise) ?? [];
  return { isRequired: required !== undefined, types: types.split(" | "), preset };
}

/** What of a promise is broken, or undefined. `after` is undefined if it is gone. */
function brokenBy(path: string, before: string, after: string | undefined): string | undefined {
  if (after === undefined) return "was removed";
  const [old, now] = [parsed(before), parsed(after)];
  const [narrow, wide] = isArgument(path) ? [old, now] : [now, old];
  if (!narrow.types.every((type) => wide.types.includes(type)))
    return `was ${old.types.join(" | ")}, and is ${now.types.join(" | ")}`;
  if (isArgument(path) ? now.isRequired && !old.isRequired : now.isRequired !== old.isRequired)
    return now.isRequired ? "is required" : "may be missing";
  if (old.preset !== undefined && old.preset !== now.preset)
    return `has the default ${now.preset ?? "nothing"}, which was ${old.preset}`;
  return undefined;
}

/** The path of what an argument or output is part of: a resource has none. */
const above = (path: string): string => path.replace(/[.(|][^.(|]*$/, "");

/** Changes with which a program fails or becomes another one, by path. Of what is gone, only the whole. */
export function breakingChanges(before: Promises, after: Promises): Readonly<Record<string, string>> {
  const broken = Object.entries(before).flatMap(([path, promise]): [string, string][] => {
    const what = brokenBy(path, promise, after[path]);
    return what === undefined ? [] : [[path, what]];
  });
  const isPartOfBroken = (path: string): boolean =>
    broken.some(([whole]) => path.startsWith(whole) && /^[.(|]/.test(path.slice(whole.length)));
  const demanded = Object.entries(after).flatMap(([path, promise]): [string, string][] => {
    const isNew = isArgument(path) && !(path in before) && above(path) in before;
    return isNew && parsed(promise).isRequired ? [[path, "is new and required"]] : [];
  });
  return Object.fromEntries([...broken, ...demanded].filter(([path]) => !isPartOfBroken(path)));
}

/** Changes that no item of the changelog's unreleased part names: the resource and the key, as code. */
export function unnamed(changes: Readonly<Record<string, string>>, changelog: string): string[] {
  const [unreleased = ""] = /^## \[Unreleased\]\n[^]*?(?=^## )/m.exec(changelog) ?? [];
  const items = unreleased.split(/^- /m);
  return Object.entries(changes).flatMap(([path, what]) => {
    const keys = path.replaceAll(")", "").split(/[.(]/);
    const words = [keys[0], keys.findLast((key) => key !== "*")].map((key = "") => `\`${key.replace(/\|.*/, "")}\``);
    return items.some((item) => words.every((word) => item.includes(word))) ? [] : [`${path} ${what}`];
  });
}

export const releasedFile = (): string => join(projectRoot(), "toolchain", "release", "released.json");

if (require.main === module) {
  const file = join(projectRoot(), "provider", "package.schema.json");
  const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
  const released: Released = { version: schema.version, promises: promisesOf(schema) };
  writeFileSync(releasedFile(), `${JSON.stringify(released, null, 2)}\n`);
}

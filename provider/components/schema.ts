/** The package schema of components, from the schemas of the config. */

import * as z from "zod";
import { clusterSchema } from "../../components/eks/config/clusterSchema";
import { ANY_OBJECT } from "../framework/fields";
import { tokenOf } from "../resources/registry";
import { fieldsOf, PUBLISHED, schemaAt, takesCluster, type Published } from "./published";

/** The parts of a JSON Schema that a package schema has, too. */
interface Json {
  readonly type?: string;
  readonly description?: string;
  readonly writeOnly?: boolean;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Json;
  readonly items?: Json;
  readonly oneOf?: readonly Json[];
  readonly anyOf?: readonly Json[];
}

const ANY = { $ref: "pulumi.json#/Any" };

/** Types of the package by token. Equal ones have the name of the first. */
class Types {
  readonly all: Record<string, object> = {};
  readonly #known = new Map<string, string>();

  /** Refers to a type. `name` is where it is used first. */
  reference(name: string, type: object): object {
    const key = JSON.stringify(type);
    const token = this.#known.get(key) ?? tokenOf(name);
    if (!this.#known.has(key) && token in this.all) throw new Error(`two types have the name ${token}`);
    this.#known.set(key, token);
    this.all[token] = type;
    return { $ref: `#/types/${token}` };
  }

  property(schema: Json, name: string): object {
    const { description, default: preset, writeOnly } = schema;
    const shape = this.#shape(schema, name);
    // A union can't have a default; the description names it.
    const hasDefault = ["string", "number", "boolean"].includes(typeof preset) && !("oneOf" in shape);
    return {
      ...shape,
      ...(description !== undefined && { description }),
      ...(hasDefault && { default: preset }),
      ...(writeOnly === true && { secret: true }),
    };
  }

  /**
   * A field of an object. Its description has the default: the SDK for Node.js would set it, and for that make the whole
   * object unknown and secret if one of its fields is.
   */
  #field(schema: Json, name: string): object {
    const { default: preset, ...rest } = this.property(schema, name) as { default?: unknown; description?: string };
    if (preset === undefined) return rest;
    return { ...rest, description: `${rest.description ?? ""} Default: \`${JSON.stringify(preset)}\`.`.trim() };
  }

  #shape(schema: Json, name: string): object {
    const options = schema.oneOf ?? schema.anyOf;
    if (options) return this.#union(options, name);
    const { type, properties, required = [], additionalProperties: values, items, description = "" } = schema;
    if (schema.enum?.every((value) => typeof value === "string")) {
      return this.reference(name, { type: "string", enum: schema.enum.map((value) => ({ value })) });
    }
    if (properties && values === false) {
      const fields = Object.entries(properties).map(([key, each]) => [
        key,
        this.#field(each, `${name}${capital(key)}`),
      ]);
      const used = required.filter((key) => key in properties);
      return this.reference(name, {
        type: "object",
        description,
        properties: Object.fromEntries(fields) as object,
        required: used,
      });
    }
    if (type === "object") {
      return isSchema(values) ? { type, additionalProperties: this.#shape(values, name) } : ANY_OBJECT;
    }
    if (type === "array") return { type, items: items ? this.#shape(items, name) : ANY };
    return ["string", "boolean", "integer", "number"].includes(type ?? "") ? { type } : ANY;
  }

  #union(options: readonly Json[], name: string): object {
    const shapes = options.map((each) => {
      // Variants differ by their type.
      const { const: only, enum: [variant] = [only] } = each.properties?.["type"] ?? {};
      return this.#shape(each, typeof variant === "string" ? `${name}${capital(variant)}` : name);
    });
    const different = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
    if (different.some((shape) => JSON.stringify(shape) === JSON.stringify(ANY))) return ANY;
    return different.length === 1 ? different[0]! : { oneOf: different };
  }
}

const isSchema = (values: boolean | Json | undefined): values is Json =>
  typeof values === "object" && Object.keys(values).length > 0;

const capital = (text: string): string =>
  text.replaceAll(/(^|[^A-Za-z0-9]+)(.)/g, (_, _before: string, letter: string) => letter.toUpperCase());

const jsonOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: "input", target: "draft-7", unrepresentable: "any" }) as Json;

/** An existing cluster, as in a stack without its `type`. */
function clusterOf(types: Types): object {
  const [existing] = jsonOf(clusterSchema).oneOf ?? [];
  const description = "The cluster to install on.";
  const required = existing!.required!.filter((key) => key !== "type");
  const properties = Object.entries(existing!.properties!).filter(([key]) => key !== "type");
  return types.property(
    { ...existing!, description, properties: Object.fromEntries(properties), required },
    "ExistingCluster",
  );
}

/** Types and resources of the package that components are. */
export function componentSchemas(): { readonly types: Record<string, object>; readonly resources: object } {
  const types = new Types();
  const cluster = clusterOf(types);
  const resources = [...PUBLISHED].map(([token, one]) => [token, resourceOf(one, cluster, types)]);
  return { types: types.all, resources: Object.fromEntries(resources) as object };
}

/** A field of an object that has variants: only the field that distinguishes the variants may differ. */
function ofVariants(variants: readonly Json[], key: string): Json {
  const [first, ...others] = variants.flatMap(({ properties }) => properties?.[key] ?? []);
  if (others.length === 0) return first!;
  const all = [first!, ...others];
  const valuesOf = ({ const: only, enum: several = [only] }: Json): readonly unknown[] => several;
  const shown = (each: Json): string =>
    valuesOf(each)
      .map((value) => `\`${String(value)}\``)
      .join(", ");
  const description = all.map((each) => `${shown(each)}: ${each.description}`).join(" ");
  return { type: "string", enum: all.flatMap(valuesOf), description };
}

function resourceOf(one: Published, cluster: object, types: Types): object {
  const { name, description, places, cluster: need, outputs } = one.component;
  const inputs: Record<string, object> = takesCluster(one) ? { cluster } : {};
  const requiredInputs = takesCluster(one) && need === undefined ? ["cluster"] : [];
  for (const place of places) {
    const json = jsonOf(schemaAt(one.feature.keys, place.at));
    if (place.argument !== undefined)
      inputs[place.argument] = types.property(json, `${name}${capital(place.argument)}`);
    const variants = json.oneOf ?? [json];
    for (const key of fieldsOf(one, place)) {
      inputs[key] ??= types.property(ofVariants(variants, key), `${name}${capital(key)}`);
      if (variants.every(({ required }) => required?.includes(key))) requiredInputs.push(key);
    }
  }
  const results = Object.entries(outputs).map(([key, { description: text, type, secret }]) => {
    const shape = type === "object" ? ANY_OBJECT : { type: type ?? "string" };
    // The provider marks its secrets. With the mark of the schema, the SDK for Java does not compile: it is an option of resources.
    return [key, { ...shape, description: secret ? `${text} Secret.` : text }];
  });
  return {
    isComponent: true,
    description,
    inputProperties: inputs,
    requiredInputs,
    properties: Object.fromEntries(results) as object,
    required: Object.keys(outputs).filter((key) => outputs[key]!.sometimes !== true),
  };
}

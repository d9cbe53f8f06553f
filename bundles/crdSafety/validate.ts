/** Checks existing objects against the schemas of a new CustomResourceDefinition. */

import Ajv from "ajv";
import type { ErrorObject, ValidateFunction } from "ajv";
import { nearest } from "../../foundation/text/nearest";
import { describe, isList, type KubeObject } from "../../kubernetes/objects/objects";
import { bounded, RuleTimeout } from "../rules/bounded";
import type { Crd } from "./crd";
import { isObject, type Json } from "../../foundation/json/isObject";

/** An object that the new schema would reject, or drop a field of. */
export interface InvalidObject {
  /** Name of the CRD. */
  readonly crd: string;
  readonly version: string;
  /** `Widget shop/front`. */
  readonly object: string;
  /** `^.spec.size`. */
  readonly path: string;
  /** The fault, never the value, which may be secret. */
  readonly what: string;
}

export const invalidObjectText = ({ crd, version, object, path, what }: InvalidObject): string =>
  `${crd} ${version}: ${object} ${path}: ${what}`;

/**
 * Returns what in these live objects does not match the schemas by which they would be read: the schema of their own
 * version and, without conversion, those of all other served versions. Faults by the old CRD's schema don't count.
 * Validation rules (CEL) are checked separately when they are new or changed.
 */
export function invalidObjects(old: Crd, next: Crd, live: readonly KubeObject[]): InvalidObject[] {
  const before = new Map(old.versions.map(({ name, schema }) => [name, compile(schema)]));
  return next.versions
    .filter(({ served }) => served)
    .flatMap(({ name, schema }) => {
      const validate = compile(schema);
      return live.flatMap((object) => {
        const own = object.apiVersion.slice(object.apiVersion.indexOf("/") + 1);
        if (next.conversion !== "None" && own !== name) return [];
        const known = [name, own].flatMap((version) => {
          const validateBefore = before.get(version);
          return validateBefore ? faultsOf(validateBefore, object).map(({ path }) => path) : [];
        });
        return faultsOf(validate, object)
          .filter(({ path }) => path === "^" || !known.some((broken) => isWithin(path, broken)))
          .map((fault) => ({ crd: next.name, version: name, object: title(object), ...fault }));
      });
    });
}

/** A part of an object that a schema would reject or drop. */
interface ObjectFault {
  readonly path: string;
  readonly what: string;
}

export type Validator = (object: KubeObject) => ObjectFault[];

/** Returns a validator for one schema of a CustomResourceDefinition. */
export function validatorOf(schema: Json): Validator {
  const validate = compile(schema);
  return (object) => faultsOf(validate, object);
}

/** Returns the objects with the schema's defaults; undefined if that takes too long. */
export function defaulted(schema: Json, objects: readonly KubeObject[]): KubeObject[] | undefined {
  const validate = compile(schema);
  const copies = structuredClone([...objects]);
  try {
    for (const copy of copies) bounded(MOST_MS, () => validate(copy));
    return copies;
  } catch (error) {
    if (!(error instanceof RuleTimeout)) throw error;
    return undefined;
  }
}

/** A value of the wrong type is not validated further. */
const isWithin = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
const keyOf = ({ path, what }: ObjectFault): string => `${path} ${what}`;
const title = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string =>
  describe({ apiVersion, kind, namespace, name });

function compile(schema: Json): ValidateFunction {
  // Formats are not checked by all servers. Patterns are Go's, which JavaScript may not support.
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    validateFormats: false,
    useDefaults: true,
    verbose: true, // Includes the violated schema in errors, for its field names.
    code: { regExp: expression },
  });
  return ajv.compile(rooted(asJsonSchema(schema)));
}

interface Expression {
  (pattern: string, flags: string): { test(text: string): boolean };
  readonly code: string;
}

const expression: Expression = Object.assign(
  (pattern: string) => {
    for (const flags of ["u", ""]) {
      try {
        return new RegExp(pattern, flags);
      } catch {
        // If it is invalid with both flag sets, the pattern is not checked.
      }
    }
    return { test: () => true };
  },
  { code: "expression" },
);

/** Every object has these fields, whatever its schema contains. */
function rooted(schema: Json): Json {
  const { properties } = schema;
  const always = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } };
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), ...always } };
}

/** Converts a structural schema to JSON Schema. Fields without a schema, which the server drops, become faults. */
function asJsonSchema(schema: Json): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith("x-kubernetes-") || key === "description" || key === "title" || key === "example") continue;
    if ((key === "properties" || key === "patternProperties") && isObject(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, isObject(one) ? asJsonSchema(one) : one]),
      );
    } else if (["allOf", "anyOf", "oneOf"].includes(key) && isList(value)) {
      result[key] = value.map((one) => (isObject(one) ? withoutClosing(asJsonSchema(one)) : one));
    } else if (key === "not" && isObject(value)) result[key] = withoutClosing(asJsonSchema(value));
    else if (["items", "additionalProperties"].includes(key) && isObject(value)) result[key] = asJsonSchema(value);
    else result[key] = value;
  }
  exclusive(result, "minimum", "exclusiveMinimum");
  exclusive(result, "maximum", "exclusiveMaximum");
  if (schema["x-kubernetes-int-or-string"] === true) result["type"] = ["integer", "string"];
  if (result["nullable"] === true && result["type"] !== undefined) result["type"] = [result["type"], "null"].flat();
  delete result["nullable"];
  if (schema["x-kubernetes-embedded-resource"] === true)
    return { ...rooted(result), additionalProperties: closedBy(schema) };
  if (schema["type"] === "object" && result["additionalProperties"] === undefined)
    result["additionalProperties"] = closedBy(schema);
  return result;
}

const closedBy = (schema: Json): boolean => schema["x-kubernetes-preserve-unknown-fields"] === true;

/** Schemas inside `allOf` and the like only add conditions; the outer schema defines the allowed fields. */
function withoutClosing({ additionalProperties, ...schema }: Json): Json {
  return additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };
}

/** In OpenAPI this keyword is a flag for the limit; in JSON Schema it is the limit itself. */
function exclusive(schema: Json, limit: string, word: string): void {
  const is = schema[word];
  delete schema[word];
  if (is !== true) return;
  schema[word] = schema[limit];
  delete schema[limit];
}

const MOST_MS = 2_000;

/** Patterns in a schema come from third parties, and may be built to take forever. */
function faultsOf(validate: ValidateFunction, object: KubeObject): ObjectFault[] {
  try {
    if (bounded(MOST_MS, () => validate(structuredClone(object)))) return [];
  } catch (error) {
    if (!(error instanceof RuleTimeout)) throw error;
    return [{ path: "^", what: `to hold it against the schema ${error.message.replace(/^it /, "")}` }];
  }
  const faults = (validate.errors ?? []).map(faultOf);
  return [...new Map(faults.map((fault) => [keyOf(fault), fault])).values()];
}

function faultOf({ instancePath, keyword, params, parentSchema, message = "" }: ErrorObject): ObjectFault {
  const named = params as { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown };
  const path = `^${instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : /^[\w-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
    )
    .join("")}`;
  if (keyword === "required")
    return { path: `${path}.${named.missingProperty ?? ""}`, what: "found nothing; the schema requires it" };
  if (keyword === "additionalProperties") {
    const name = named.additionalProperty ?? "";
    return { path: `${path}.${name}`, what: `the schema does not have it; ${meant(name, parentSchema)}` };
  }
  if (keyword === "enum") return { path, what: `it must be one of ${JSON.stringify(named.allowedValues)}` };
  return { path, what: `it ${message}` };
}

/** Suggests the nearest field name, or reports that the field would be lost. */
function meant(name: string, schema: Json | undefined): string {
  const field = nearest(name, isObject(schema?.["properties"]) ? Object.keys(schema["properties"]) : []);
  return field === undefined ? "it would be lost" : `did you mean ${field}?`;
}

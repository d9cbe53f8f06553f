/** The fields of a kind as Gardener's own API server declares them, as a schema of a CustomResourceDefinition. */

import { isObject, type Json } from "../../foundation/json/isObject";
import { listAt, textAt } from "../../kubernetes/objects/objects";

const ANYTHING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const INT_OR_STRING = { "x-kubernetes-int-or-string": true };

/** Types that are no objects on the wire. */
const KNOWN: readonly (readonly [RegExp, Json])[] = [
  [/\.IntOrString$|\.Quantity$/, INT_OR_STRING],
  [/\.meta\.v1\.(?:Micro)?Time$/, { type: "string", format: "date-time" }],
  [/\.meta\.v1\.Duration$/, { type: "string" }],
  [/\.RawExtension$|\.JSON$/, ANYTHING],
];

/** `schemas`: those of the server by name. Without descriptions, defaults and required fields, but keys of lists. Pure. */
export function fieldsOf(schemas: Json, name: string): Json {
  const known = KNOWN.find(([pattern]) => pattern.test(name));
  return known ? known[1] : declared(schemas, schemas[name]);
}

function declared(schemas: Json, schema: unknown): Json {
  const reference = textAt(schema, "$ref") ?? textAt(listAt(schema, "allOf")[0], "$ref");
  if (reference !== undefined) return fieldsOf(schemas, reference.slice(reference.lastIndexOf("/") + 1));
  if (!isObject(schema)) return ANYTHING;
  const { type, format, items, properties, additionalProperties } = schema;
  if (type === "array") return listOf(declared(schemas, items), textAt(schema, "x-kubernetes-patch-merge-key"));
  if (isObject(additionalProperties))
    return { type: "object", additionalProperties: declared(schemas, additionalProperties) };
  if (isObject(properties)) {
    const fields = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      type: "object",
      properties: Object.fromEntries(fields.map(([key, value]) => [key, declared(schemas, value)])),
    };
  }
  // A format such as byte says nothing of what is refused.
  return type === "object" || type === undefined
    ? ANYTHING
    : { type, ...(/^int|^date-time/.test(String(format)) && { format }) };
}

/** `key`: that by which an apply merges the items. */
const listOf = (items: Json, key: string | undefined): Json =>
  key === undefined
    ? { type: "array", items }
    : {
        ...{ type: "array", items: { ...items, required: [key] } },
        ...{ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] },
      };

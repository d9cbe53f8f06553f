/**
 * Drops fields of a ClusterServiceVersion that its Kubernetes types don't have, as OLM does when it parses one. Without
 * a cluster the types are unknown, and nothing is dropped.
 */

import { isList, type KubeObject } from "../../../kubernetes/objects/objects";
import type { ClusterFacts } from "../format";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** For objects from parts that OLM parses as Kubernetes types. */
export async function withKnownFields(
  objects: readonly KubeObject[],
  schemaOf: ClusterFacts["schemaOf"],
): Promise<KubeObject[]> {
  const found = new Map<string, Json | undefined>();
  for (const apiVersion of new Set(objects.map((one) => one.apiVersion))) {
    found.set(apiVersion, await schemaOf?.(apiVersion));
  }
  return objects.map((object) => {
    const types = found.get(object.apiVersion);
    const type = types && typeOf(types, object);
    return type ? (known(object, type, types) as KubeObject) : object;
  });
}

const KIND = "x-kubernetes-group-version-kind";

function typeOf(types: Json, { apiVersion, kind }: KubeObject): Json | undefined {
  const isIt = (one: unknown): boolean =>
    isObject(one) && one["kind"] === kind && [one["group"], one["version"]].filter(Boolean).join("/") === apiVersion;
  return Object.values(types)
    .filter(isObject)
    .find((type) => isList(type[KIND]) && type[KIND].some(isIt));
}

/** Resolves a reference, direct or as the only item of `allOf`. */
function resolved(type: Json, types: Json): Json {
  const [only] = isList(type["allOf"]) && type["allOf"].length === 1 ? type["allOf"].filter(isObject) : [];
  const ref = (only ?? type)["$ref"];
  const named = typeof ref === "string" ? types[ref.slice(ref.lastIndexOf("/") + 1)] : undefined;
  return isObject(named) ? named : type;
}

function known(value: unknown, type: Json, types: Json): unknown {
  const { properties, additionalProperties, items } = resolved(type, types);
  if (isList(value)) return isObject(items) ? value.map((one) => known(one, items, types)) : value;
  if (!isObject(value)) return value;
  if (isObject(properties)) {
    const fields = Object.entries(value).filter(([key]) => isObject(properties[key]));
    return Object.fromEntries(fields.map(([key, one]) => [key, known(one, properties[key] as Json, types)]));
  }
  if (!isObject(additionalProperties)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, known(one, additionalProperties, types)]));
}

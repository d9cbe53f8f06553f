/** Kubernetes objects as plain JSON, and their identity. */

import { isObject, type Json } from "../../foundation/json/isObject";

/** An object of any kind. Read `spec` and `status` with {@link at}. */
export interface KubeObject extends Json {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
}

export interface Metadata extends Json {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference extends Json {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** A reference to an object. Without a namespace, the object is cluster-scoped. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** `apps` for `apps/v1`; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/** Whether an object is of this kind in the core group. Other groups may have a kind of the same name. */
export const isCore = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">, wanted: string): boolean =>
  kind === wanted && groupOf(apiVersion) === "";

/** The part of a change that names an object and its version: the API server refuses any other one as a conflict. */
export const versionOf = (live: KubeObject | undefined): Partial<Metadata> => {
  const { uid, resourceVersion } = live?.metadata ?? {};
  return { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
};

/**
 * The version of an object that must not exist. An apply with a version is a conflict if the object has another one, and no
 * object has this one: it is that of the empty store of an API server.
 */
export const NONE: Partial<Metadata> = { resourceVersion: "1" };

/** `StatefulSet runtimes/acme`, for messages. */
export const describe = ({ kind, namespace, name }: Ref): string =>
  namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;

const NAMED = 5;

/** Names the first few objects, for messages. */
export function namesOf(refs: readonly Ref[]): string {
  const names = refs.slice(0, NAMED).map(describe).join(", ");
  return refs.length > NAMED ? `${names} and ${refs.length - NAMED} more` : names;
}

/** `apps/v1/StatefulSet/runtimes/acme`, as in a set's inventory. */
export const inventoryKey = ({ apiVersion, kind, namespace, name }: Ref): string =>
  [apiVersion, kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");

/** The reverse of {@link inventoryKey}. Unambiguous, because the core group has no name and only the version v1. */
export function parseInventoryKey(key: string): Ref {
  const parts = key.split("/");
  const core = parts[0] === "v1";
  const [apiVersion, rest] = core ? ["v1", parts.slice(1)] : [parts.slice(0, 2).join("/"), parts.slice(2)];
  const [kind, first, second] = rest;
  if (!kind || !first || rest.length > 3) {
    throw new Error(`found "${key}" in the inventory; expected apiVersion/Kind/namespace/name or apiVersion/Kind/name`);
  }
  return second === undefined
    ? { apiVersion, kind, name: first }
    : { apiVersion, kind, namespace: first, name: second };
}

/** Equal for all versions of a kind, because they are views of one object. */
export const identity = ({ apiVersion, kind, namespace, name }: Ref): string =>
  [groupOf(apiVersion), kind, namespace ?? "", name].join("/");

/** The value at a path such as `spec.template.spec`; undefined if there is none. */
export function at(object: unknown, ...path: readonly (string | number)[]): unknown {
  let value = object;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Json)[key];
  }
  return value;
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Returns a copy without these keys. */
export const without = (object: Json, ...keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/** The object at `path`; empty if there is none. */
export const objectAt = (object: unknown, ...path: readonly (string | number)[]): Json => {
  const found = at(object, ...path);
  return isObject(found) ? found : {};
};

/** The objects of a list; empty if there is none. */
export const listAt = (object: unknown, ...path: readonly (string | number)[]): Json[] => {
  const value = at(object, ...path);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

export const textAt = (object: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const value = at(object, ...path);
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const numberAt = (object: unknown, ...path: readonly (string | number)[]): number | undefined => {
  const value = at(object, ...path);
  return typeof value === "number" ? value : undefined;
};

/** Whether the object with this UID controls `object`. */
export const isControlledBy = (object: KubeObject, uid: string | undefined): boolean =>
  uid !== undefined && (object.metadata.ownerReferences ?? []).some((owner) => owner.controller && owner.uid === uid);

export const refOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): Ref => ({
  apiVersion,
  kind,
  namespace,
  name,
});

export const isCrd = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): boolean =>
  kind === "CustomResourceDefinition" && groupOf(apiVersion) === "apiextensions.k8s.io";

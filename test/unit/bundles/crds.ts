import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { Json } from "../../../foundation/json/isObject";

export interface VersionSample {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly subresources?: object;
  /** Schema of the field `spec`. */
  readonly spec: Json;
}

export const root = (spec: Json): Json => ({
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec,
  },
});

/** A CRD of widgets.example.com. */
export const crd = (versions: readonly VersionSample[], more: Json = {}, status: Json = {}): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    versions: versions.map(({ name = "v1", served = true, storage = true, subresources, spec }) => ({
      name,
      served,
      storage,
      ...(subresources === undefined ? {} : { subresources }),
      schema: { openAPIV3Schema: root(spec) },
    })),
    ...more,
  },
  status: { storedVersions: ["v1"], ...status },
});

/** An object schema with these fields. */
export const fields = (properties: Json, more: Json = {}): Json => ({ type: "object", properties, ...more });

export const widget = (name: string, spec: Json, version = "v1"): KubeObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Widget",
  metadata: { name, namespace: "shop" },
  spec,
});

/** The parts of a CustomResourceDefinition that its users depend on. */

import { at, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: Json;
  readonly status: boolean;
  readonly scale: Json | undefined;
}

export interface Crd {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: string;
  /** None or Webhook. */
  readonly conversion: string;
  /** Versions in which objects may still be stored; only known from a live CRD. */
  readonly storedVersions: readonly string[];
  readonly versions: readonly CrdVersion[];
}

/** Reads a CRD of apiextensions.k8s.io/v1, with the API server's defaults. */
export function readCrd(object: KubeObject): Crd {
  const stored = at(object, "status", "storedVersions");
  const kind = textAt(object, "spec", "names", "kind") ?? "";
  return {
    name: object.metadata.name,
    group: textAt(object, "spec", "group") ?? "",
    kind,
    plural: textAt(object, "spec", "names", "plural") ?? "",
    scope: textAt(object, "spec", "scope") ?? "",
    conversion: textAt(object, "spec", "conversion", "strategy") ?? "None",
    storedVersions: Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [],
    versions: listAt(object, "spec", "versions").map(readVersion),
  };
}

function readVersion(version: Json): CrdVersion {
  const schema = at(version, "schema", "openAPIV3Schema");
  const scale = at(version, "subresources", "scale");
  return {
    name: textAt(version, "name") ?? "",
    served: version["served"] === true,
    storage: version["storage"] === true,
    schema: isObject(schema) ? schema : {},
    status: isObject(at(version, "subresources", "status")),
    scale: isObject(scale) ? scale : undefined,
  };
}

export const versionNamed = (crd: Crd, name: string): CrdVersion | undefined =>
  crd.versions.find((version) => version.name === name);

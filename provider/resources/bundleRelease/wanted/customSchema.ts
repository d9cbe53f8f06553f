/** Validates custom resources against the CustomResourceDefinition in the same bundle. */

import { describe, groupOf, isCrd } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { readCrd, versionNamed } from "../../../../bundles/crdSafety/crd";
import type { Crd } from "../../../../bundles/crdSafety/crd";
import { validatorOf } from "../../../../bundles/crdSafety/validate";
import type { Validator } from "../../../../bundles/crdSafety/validate";

/**
 * Returns a function that lists the schema faults of a custom resource; empty for other kinds. Each schema is compiled
 * once.
 */
export function schemaFaults(objects: readonly KubeObject[]): (object: KubeObject) => string[] {
  const crds = objects.filter(isCrd).map(readCrd);
  const validators = new Map<string, Validator>();
  return (object) => {
    const crd = crds.find(({ group, kind }) => group === groupOf(object.apiVersion) && kind === object.kind);
    if (!crd) return [];
    const title = describe({ ...object, ...object.metadata });
    // Kinds of one group share the version, but each has its own schema.
    const key = `${crd.name} ${object.apiVersion}`;
    const validate = validators.get(key) ?? prepare(crd, object.apiVersion);
    if (!validate) return [`${title}: CustomResourceDefinition ${crd.name} does not serve ${object.apiVersion}`];
    validators.set(key, validate);
    return validate(object).map(({ path, what }) => `${title}: ${path}: ${what}`);
  };
}

function prepare(crd: Crd, apiVersion: string): Validator | undefined {
  const version = versionNamed(crd, apiVersion.slice(apiVersion.indexOf("/") + 1));
  return version?.served ? validatorOf(version.schema) : undefined;
}

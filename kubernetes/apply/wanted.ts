/** Completes the set's objects for server-side apply. */

import { groupOf, inventoryKey, isCore, isList, without, type KubeObject, type Ref } from "../objects/objects";
import { hasUnknown } from "../../foundation/pulumi/resource";
import { withOwnerId } from "../identity/ownerId";
import { isStatefulSet } from "../claims/claims";
import type { SetInputs } from "./set";
import { ownerLabels } from "../owners/ownership";
import { scopeOf, scopesIn } from "./scope";
import { FaultsError } from "../work/faults";
import type { Site } from "./site";
import { isObject, type Json } from "../../foundation/json/isObject";

export interface WantedObject {
  readonly ref: Ref;
  /** The complete object: with namespace, ownership labels, policies and owner id. */
  readonly object: KubeObject;
  /** The object as given. */
  readonly given: KubeObject;
  /** Set if the same set creates its kind or namespace. Until then, the API server can't check the object. */
  readonly needs: "kind" | "namespace" | undefined;
}

/** Throws all unknown kinds at once. Skips objects with unknown values. */
export async function wantedOf(site: Site, inputs: SetInputs): Promise<WantedObject[]> {
  const objects = objectsOf(inputs).map((object, index) => ({ object, index }));
  const known = objects.filter(({ object }) => !hasUnknown(object));
  const scopes = scopesIn(known.map(({ object }) => object));
  const namespaces = new Set(
    known.flatMap(({ object }) => (isCore(object, "Namespace") ? [object.metadata.name] : [])),
  );
  const faults: string[] = [];
  const wanted = await Promise.all(
    known.map(async ({ object, index }): Promise<WantedObject | undefined> => {
      const scope = await scopeOf(site.client, object, scopes, (message) =>
        faults.push(`objects[${index}]: ${message}`),
      );
      if (!scope) return undefined;
      const namespace = scope.namespaced ? (object.metadata.namespace ?? inputs.namespace) : undefined;
      const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name: object.metadata.name };
      const needs = scope.definedInSet
        ? "kind"
        : namespace !== undefined && namespaces.has(namespace)
          ? "namespace"
          : undefined;
      return { ref, object: withOwnerId(complete(object, namespace, inputs), site.owner.id), given: object, needs };
    }),
  );
  if (faults.length > 0) throw new FaultsError("nothing was changed", faults);
  return wanted.filter((one) => one !== undefined);
}

export const inventoryOf = (wanted: readonly WantedObject[]): string[] => wanted.map(({ ref }) => inventoryKey(ref));

/** Empty while the whole list is unknown. */
const objectsOf = ({ objects }: SetInputs): readonly KubeObject[] => (isList(objects) ? objects : []);

/** The objects of earlier inputs by {@link givenKey}. Skips objects with unknown values. */
export function givenObjects(inputs: SetInputs): Map<string, KubeObject> {
  return new Map(
    objectsOf(inputs)
      .filter((object) => !hasUnknown(object))
      .map((object) => [givenKey(object), object]),
  );
}

/**
 * Identifies an object within one list of inputs. Needs no cluster, so it does not depend on whether the kind is
 * namespaced.
 */
export const givenKey = ({ apiVersion, kind, metadata }: KubeObject): string =>
  [groupOf(apiVersion), kind, metadata.namespace ?? "", metadata.name].join("/");

function complete(object: KubeObject, namespace: string | undefined, inputs: SetInputs): KubeObject {
  const { name, labels } = object.metadata;
  const result: KubeObject = {
    ...object,
    metadata: {
      ...without(object.metadata, "namespace"),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, ...ownerLabels({ set: inputs.name, namespace: inputs.namespace }) },
    },
  };
  return withClaimPolicy(result, inputs.claimsWhenDeleted);
}

/** The object with the set's policy for claims, if it is a StatefulSet. */
export const withClaimPolicy = (object: KubeObject, policy: string | undefined): KubeObject =>
  policy !== undefined && !hasUnknown(policy) && isStatefulSet(object) ? withPolicy(object, policy) : object;

function withPolicy(set: KubeObject, whenDeleted: string): KubeObject {
  const spec: Json = isObject(set["spec"]) ? set["spec"] : {};
  const policy = isObject(spec["persistentVolumeClaimRetentionPolicy"])
    ? spec["persistentVolumeClaimRetentionPolicy"]
    : {};
  return {
    ...set,
    spec: { ...spec, persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", ...policy, whenDeleted } },
  };
}

/**
 * Determines which kinds are namespaced, from the cluster and from CustomResourceDefinitions that are not applied yet.
 */

import type { Client } from "../client/client";
import { UnknownKindError } from "../client/discovery";
import { groupOf, listAt, textAt, type KubeObject } from "../objects/objects";

export interface KindScope {
  readonly namespaced: boolean;
  /** A CustomResourceDefinition of the same set defines the kind. */
  readonly definedInSet?: boolean;
}

/** Reports a kind that neither the cluster nor the objects define, and returns undefined. */
export async function scopeOf(
  client: Client,
  { apiVersion, kind }: KubeObject,
  scopes: ReadonlyMap<string, KindScope>,
  report: (message: string) => void,
): Promise<KindScope | undefined> {
  try {
    return await client.discovery.resource(apiVersion, kind);
  } catch (error) {
    if (!(error instanceof UnknownKindError)) throw error;
    const scope = scopes.get(`${apiVersion}/${kind}`);
    if (!scope) report(error.message);
    return scope;
  }
}

/** Kinds that CustomResourceDefinitions among the objects define. */
export function scopesIn(objects: readonly KubeObject[]): Map<string, KindScope> {
  const scopes = new Map<string, KindScope>();
  for (const object of objects) {
    if (object.kind !== "CustomResourceDefinition" || groupOf(object.apiVersion) !== "apiextensions.k8s.io") continue;
    const group = textAt(object, "spec", "group");
    const kind = textAt(object, "spec", "names", "kind");
    const namespaced = textAt(object, "spec", "scope") !== "Cluster";
    for (const version of listAt(object, "spec", "versions")) {
      scopes.set(`${group}/${textAt(version, "name")}/${kind}`, { namespaced, definedInSet: true });
    }
  }
  return scopes;
}

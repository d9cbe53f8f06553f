/** Existing bindings in a cluster that would grant permissions to names that the bundle adds. */

import { isForbidden } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { identity, isCore, listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { RBAC } from "../../../kubernetes/objects/rbac";

/**
 * Bindings that name one of the bundle's ServiceAccounts, reduced to these subjects. `namespace`: the bundle's
 * namespace.
 */
export async function waitingBindings(
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<KubeObject[]> {
  const placeOf = ({ metadata }: KubeObject): string => metadata.namespace ?? namespace;
  const accounts = new Set(
    objects.filter((one) => isCore(one, "ServiceAccount")).map((one) => `${placeOf(one)}/${one.metadata.name}`),
  );
  if (accounts.size === 0) return [];
  const refOf = ({ apiVersion, kind, metadata: { name, ...metadata } }: KubeObject): string =>
    identity({
      apiVersion,
      kind,
      name,
      namespace: kind === "RoleBinding" ? (metadata.namespace ?? namespace) : undefined,
    });
  const own = new Set(objects.map(refOf));
  const all = await Promise.all(["RoleBinding", "ClusterRoleBinding"].map((kind) => listed(client, kind)));
  return all.flat().flatMap((binding) => {
    const subjects = listAt(binding, "subjects").filter(
      (one) =>
        one["kind"] === "ServiceAccount" &&
        accounts.has(`${textAt(one, "namespace") ?? binding.metadata.namespace ?? ""}/${textAt(one, "name") ?? ""}`),
    );
    return subjects.length === 0 || own.has(refOf(binding)) ? [] : [{ ...binding, subjects }];
  });
}

/** Without permission to list them, the result is empty. */
async function listed(client: Client, kind: string): Promise<KubeObject[]> {
  try {
    return await client.list({ apiVersion: `${RBAC}/v1`, kind });
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

/** Bindings of others in a cluster that give rights to a name which a bundle includes only now. */

import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { identity, isCore, listAt, textAt, type KubeObject } from "../../../kubernetes/client/objects";
import { RBAC } from "./rbac";

/** Those that name one of the bundle's ServiceAccounts, with no other subjects. `namespace` is the bundle's. */
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

/** Who may not see them gets nothing of them. */
async function listed(client: Client, kind: string): Promise<KubeObject[]> {
  try {
    return await client.list({ apiVersion: `${RBAC}/v1`, kind });
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return [];
    throw error;
  }
}

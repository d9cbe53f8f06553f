/** Service accounts of an operator and their permissions. */

import { isCore, type KubeObject } from "../../../../kubernetes/objects/objects";
import { DEFAULT_ACCOUNT, type Csv, type Permission } from "../csv";
import type { WatchScope } from "./installModes";
import { uniqueName } from "../names";

/** Where an operator is installed. */
export interface OperatorPlace {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
}

const RBAC = "rbac.authorization.k8s.io";

/** Needed to watch all namespaces. */
const SEE_NAMESPACES = { apiGroups: [""], resources: ["namespaces"], verbs: ["get", "list", "watch"] };

/** Service accounts that are not separate objects of the bundle. */
export function serviceAccounts({ permissions, clusterPermissions }: Csv, others: readonly KubeObject[]): KubeObject[] {
  const there = new Set(others.filter((one) => isCore(one, "ServiceAccount")).map(({ metadata }) => metadata.name));
  const names = new Set([...permissions, ...clusterPermissions].map(({ serviceAccount }) => serviceAccount));
  return [...names]
    .filter((name) => name !== DEFAULT_ACCOUNT && !there.has(name))
    .sort()
    .map((name) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name } }));
}

/**
 * One role per account and place. Its name stays the same across versions, so that its permissions are updated in
 * place.
 */
export function roles(
  { permissions, clusterPermissions }: Csv,
  { namespaces }: WatchScope,
  place: OperatorPlace,
): KubeObject[] {
  const everywhere = namespaces.length === 0;
  const promoted = permissions.map((one) => ({ ...one, rules: [...one.rules, SEE_NAMESPACES] }));
  const inCluster = byAccount([...clusterPermissions, ...(everywhere ? promoted : [])]);
  return [
    ...inCluster.flatMap((permission) => roleWithBinding(permission, place, undefined)),
    ...namespaces.flatMap((namespace) =>
      byAccount(permissions).flatMap((permission) => roleWithBinding(permission, place, namespace)),
    ),
  ];
}

/** Merges permissions: a ClusterServiceVersion may list an account several times. */
function byAccount(permissions: readonly Permission[]): Permission[] {
  const found = new Map<string, Permission>();
  for (const { serviceAccount, rules } of permissions) {
    const before = found.get(serviceAccount)?.rules ?? [];
    found.set(serviceAccount, {
      serviceAccount,
      rules: [...before, ...rules.filter((rule) => !before.includes(rule))],
    });
  }
  return [...found.values()];
}

function roleWithBinding(
  { serviceAccount, rules }: Permission,
  place: OperatorPlace,
  namespace: string | undefined,
): [KubeObject, KubeObject] {
  const name = uniqueName(`${place.name}-${serviceAccount}`, [place.namespace, place.name, serviceAccount]);
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const [apiVersion, kind] = [`${RBAC}/v1`, namespace === undefined ? "ClusterRole" : "Role"];
  const subjects = [{ kind: "ServiceAccount", namespace: place.namespace, name: serviceAccount }];
  return [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef: { apiGroup: RBAC, kind, name }, subjects },
  ];
}

import type { ClusterAccess } from "../cluster/access/kubeconfig";
import { isElsewhere, placeOf } from "../cluster/access/placed";
import type { KubernetesConfig } from "./settings";
import type { NamespaceUser } from "../namespaces/settings";

/** A namespace that the platform creates. */
interface PlannedNamespace {
  /** Unique suffix of the resource's name. */
  readonly key: string;
  /** The previous suffix, derived from the address of the cluster. Becomes an alias. */
  readonly formerKey?: string;
  readonly namespace: string;
  /** Access to its cluster. Undefined: the platform's cluster. */
  readonly access: ClusterAccess | undefined;
  /** The provisioners that use it. */
  readonly users: readonly NamespaceUser[];
}

/** Name of a static provisioner's pool in the ledger, which several platform stacks may share. */
export function poolName(stack: string, provisioner: string): string {
  return `${stack}/${provisioner}`;
}

/**
 * Plans the namespaces. Provisioners that share a namespace through the same address share one resource, named by the
 * first of them, because addresses may change but resource names may not. With different addresses of one cluster, each
 * gets its own resource. This is harmless: the same namespace is applied twice, and deleting a resource keeps the
 * namespace.
 */
export function planNamespaces(
  kubernetes: Readonly<Record<string, KubernetesConfig>>,
  platformServer: string | undefined,
): readonly PlannedNamespace[] {
  const namespaces = new Map<string, PlannedNamespace>();
  const byName = Object.entries(kubernetes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, provisioner] of byName) {
    const { access, createNamespace, settings } = provisioner;
    const place = placeOf(provisioner, platformServer);
    if (!createNamespace || namespaces.has(place)) continue;
    const { namespace } = settings;
    // Policies consider all provisioners in the namespace, also those with `createNamespace: false`.
    const users = byName
      .filter(([, other]) => placeOf(other, platformServer) === place)
      .map(([, other]) => userOf(other));
    const elsewhere = isElsewhere(access, platformServer);
    namespaces.set(
      place,
      elsewhere
        ? { key: `${name}/${namespace}`, formerKey: place, namespace, access, users }
        : { key: place, namespace, access: undefined, users },
    );
  }
  return [...namespaces.values()];
}

/** Custom templates may need more privileges than the built-in ones. */
const userOf = ({ namespace: config, settings }: KubernetesConfig): NamespaceUser => ({
  kind: "runtimes",
  config,
  passes: settings.templates.length === 0 ? "restricted" : "baseline",
});

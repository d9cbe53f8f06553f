import { shortHash } from "../resources/legalName";
import type { ClusterAccess } from "../config/kubeconfig";
import type { KubernetesConfig } from "../config/platformConfig";

/** Stands for the platform's cluster in names. */
const PLATFORM_CLUSTER = "platform";

/** A namespace that the platform makes. */
export interface PlannedNamespace {
  /** Unique suffix of the resource's name. */
  readonly key: string;
  readonly namespace: string;
  /** Its cluster; undefined is the platform's. */
  readonly access: ClusterAccess | undefined;
}

/** Pool of a static provisioner in the ledger, which many platform stacks may share. */
export function poolName(stack: string, provisioner: string): string {
  return `${stack}/${provisioner}`;
}

/**
 * Plans the namespaces. Resource names follow the place, not the provisioner, so that a namespace that two
 * provisioners share is made once and stays when one of them goes.
 */
export function planNamespaces(
  kubernetes: Readonly<Record<string, KubernetesConfig>>,
  platformServer: string | undefined,
): readonly PlannedNamespace[] {
  const namespaces = new Map<string, PlannedNamespace>();
  const byName = Object.entries(kubernetes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, { access, createNamespace, settings }] of byName) {
    if (!createNamespace) continue;
    const elsewhere = access !== undefined && access.server !== platformServer;
    const key = `${elsewhere ? shortHash(access.server, 8) : PLATFORM_CLUSTER}-${settings.namespace}`;
    if (!namespaces.has(key)) {
      namespaces.set(key, { key, namespace: settings.namespace, access: elsewhere ? access : undefined });
    }
  }
  return [...namespaces.values()];
}

import { createHash } from "node:crypto";
import type { ClusterAccess } from "../config/kubeconfig";
import type { KubernetesConfig } from "../config/platformConfig";

/** Stands for the platform's cluster in names. */
export const PLATFORM_CLUSTER = "platform";

/** A namespace that the platform makes. */
export interface PlannedNamespace {
  /** Unique suffix of the resource's name. */
  readonly key: string;
  readonly namespace: string;
  /** Key of its cluster among {@link NamespacePlan.clusters}. */
  readonly cluster: string;
}

/** Where namespaces are made. */
export interface NamespacePlan {
  readonly namespaces: readonly PlannedNamespace[];
  /** Clusters in which a namespace is made, by key; undefined is the platform's. */
  readonly clusters: Readonly<Record<string, ClusterAccess | undefined>>;
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
): NamespacePlan {
  const namespaces = new Map<string, PlannedNamespace>();
  const clusters = new Map<string, ClusterAccess | undefined>();
  const byName = Object.entries(kubernetes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, { access, createNamespace, settings }] of byName) {
    if (!createNamespace) continue;
    const elsewhere = access !== undefined && access.server !== platformServer;
    const cluster = elsewhere ? shortHash(access.server) : PLATFORM_CLUSTER;
    if (!clusters.has(cluster)) clusters.set(cluster, elsewhere ? access : undefined);
    const key = `${cluster}-${settings.namespace}`;
    namespaces.set(key, { key, namespace: settings.namespace, cluster });
  }
  return { namespaces: [...namespaces.values()], clusters: Object.fromEntries(clusters) };
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

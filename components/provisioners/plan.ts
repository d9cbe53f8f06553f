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
  for (const [, provisioner] of byName) {
    const { access, createNamespace, settings } = provisioner;
    if (!createNamespace) continue;
    const key = placeOf(provisioner, platformServer);
    if (!namespaces.has(key)) {
      const own = isElsewhere(access, platformServer) ? access : undefined;
      namespaces.set(key, { key, namespace: settings.namespace, access: own });
    }
  }
  return [...namespaces.values()];
}

/** Cluster and namespace of a provisioner's runtimes; equal where two provisioners share them. */
function placeOf({ access, settings }: KubernetesConfig, platformServer: string | undefined): string {
  const cluster = access && isElsewhere(access, platformServer) ? shortHash(access.server, 8) : PLATFORM_CLUSTER;
  return `${cluster}-${settings.namespace}`;
}

const isElsewhere = (access: ClusterAccess | undefined, platformServer: string | undefined): boolean =>
  access !== undefined && access.server !== platformServer;

/** Whether no other provisioner of the set is at its place. */
export function isAlone(
  name: string,
  kubernetes: Readonly<Record<string, KubernetesConfig>>,
  platformServer: string | undefined,
): boolean {
  const places = new Map(Object.entries(kubernetes).map(([key, one]) => [key, placeOf(one, platformServer)]));
  return [...places].every(([key, place]) => key === name || place !== places.get(name));
}

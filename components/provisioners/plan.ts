import { canonicalJson } from "../../foundation/json/canonicalJson";
import { shortHash } from "../../foundation/text/legalName";
import type { ClusterAccess } from "../cluster/access/kubeconfig";
import { isElsewhere, placeOf } from "../cluster/access/placed";
import type { NamespaceUser } from "../namespaces/settings";
import type { SlotSize } from "../runtime/size";
import type { ProvisionerConfig } from "../runtime/types/provisionerType";

type Provisioners = Readonly<Record<string, ProvisionerConfig>>;

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
  provisioners: Provisioners,
  platformServer: string | undefined,
): readonly PlannedNamespace[] {
  const namespaces = new Map<string, PlannedNamespace>();
  const byName = Object.entries(provisioners).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, provisioner] of byName) {
    const { access, createNamespace, settings } = provisioner;
    const { namespace } = settings;
    const place = placeOf(provisioner, platformServer);
    if (!createNamespace || namespace === undefined || namespaces.has(place)) continue;
    // Policies consider all provisioners in the namespace, also those with `createNamespace: false`.
    const users = byName
      .filter(([, other]) => other.namespace && placeOf(other, platformServer) === place)
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
const userOf = ({ namespace: config = {}, settings }: ProvisionerConfig): NamespaceUser => ({
  kind: "runtimes",
  config,
  passes: settings.templates?.length ? "baseline" : "restricted",
});

/**
 * Revision of each provisioner, by name: a digest of all settings that runtimes depend on. A runtime with another one is
 * outdated. It ignores credentials, addresses and settings that matter only during an update, so that a renewed token
 * makes no runtime outdated.
 */
export const provisionerRevisions = (provisioners: Provisioners, slot: SlotSize): Record<string, string> =>
  Object.fromEntries(
    Object.entries(provisioners).map(([name, { settings }]) => {
      const made = { ...settings, timeoutSeconds: undefined, timeouts: undefined, kymaControlPlane: undefined };
      return [name, shortHash(canonicalJson([made, slot]), 12)];
    }),
  );

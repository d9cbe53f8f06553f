import { shortHash } from "../../foundation/text/legalName";
import type { ClusterAccess } from "./config/kubeconfig";
import type { KubernetesConfig } from "../platform/config/platformConfig";
import type { NamespaceUser } from "../namespaces/settings";

/** Stands for the platform's cluster in names. */
const PLATFORM_CLUSTER = "platform";

/** A namespace that the platform makes. */
export interface PlannedNamespace {
  /** Unique suffix of the resource's name. */
  readonly key: string;
  /** What that was before, when it followed the address of the cluster. */
  readonly formerKey?: string;
  readonly namespace: string;
  /** Its cluster; undefined is the platform's. */
  readonly access: ClusterAccess | undefined;
  /** The provisioners that use it. */
  readonly users: readonly NamespaceUser[];
}

/** Pool of a static provisioner in the ledger, which many platform stacks may share. */
export function poolName(stack: string, provisioner: string): string {
  return `${stack}/${provisioner}`;
}

/**
 * Plans the namespaces. One that several provisioners share by one address is made once, and named by the first of them:
 * addresses may change, names of resources may not. Where they have several addresses for one cluster, each makes it, which
 * does no harm: the same namespace is applied twice, and none is deleted when its resource goes.
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
    // Those that use the namespace without making it live by its rules too.
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

/** Templates of the user's own may ask for more than the built-in ones do. */
const userOf = ({ namespace: config, settings }: KubernetesConfig): NamespaceUser => ({
  kind: "runtimes",
  config,
  passes: settings.templates.length === 0 ? "restricted" : "baseline",
});

/** A provisioner by its place in Kubernetes. */
interface Placed {
  readonly access?: ClusterAccess;
  readonly settings: { readonly namespace: string };
}

/** Cluster and namespace of a provisioner's runtimes; equal where two provisioners share them. */
function placeOf({ access, settings }: Placed, platformServer: string | undefined): string {
  const cluster = access && isElsewhere(access, platformServer) ? shortHash(access.server, 8) : PLATFORM_CLUSTER;
  return `${cluster}-${settings.namespace}`;
}

const isElsewhere = (access: ClusterAccess | undefined, platformServer: string | undefined): boolean =>
  access !== undefined && access.server !== platformServer;

/** Whether no other provisioner of the set is at its place. */
export function isAlone(
  name: string,
  kubernetes: Readonly<Record<string, Placed>>,
  platformServer: string | undefined,
): boolean {
  const places = new Map(Object.entries(kubernetes).map(([key, one]) => [key, placeOf(one, platformServer)]));
  return [...places].every(([key, place]) => key === name || place !== places.get(name));
}

import type { ClusterAccess } from "../cluster/access/kubeconfig";
import type { NamespaceConfig } from "../namespaces/settings";
import type { GardenerSettings, KubernetesSettings } from "../runtime/platform/platform";

/** A provisioner of type kubernetes. */
export interface KubernetesConfig {
  /** Access to its cluster. Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  /** Whether the platform creates the namespace. */
  readonly createNamespace: boolean;
  /** Policies of the namespace that the platform creates, as far as the config sets them. */
  readonly namespace: NamespaceConfig;
  readonly settings: KubernetesSettings;
}

/** A provisioner of type gardener. */
export interface GardenerConfig {
  /** Access to Gardener. */
  readonly access: ClusterAccess;
  readonly settings: GardenerSettings;
}

import type { ClusterAccess } from "./access/kubeconfig";
import type { EksConfig } from "./onEks/eksConfig";
import type { ExistingEks } from "./onEks/onEks";

/** The platform's cluster: an existing one, or one that is created on EKS. */
export type ClusterConfig =
  | { readonly type: "existing"; readonly access: ClusterAccess; readonly eks?: ExistingEks }
  | { readonly type: "eks"; readonly eks: EksConfig };

/** Server URL of an existing cluster, which identifies it in the config; undefined for a cluster to create. */
export const serverOf = (cluster: ClusterConfig | undefined): string | undefined =>
  cluster?.type === "existing" ? cluster.access.server : undefined;

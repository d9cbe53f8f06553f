import type { ClusterAccess } from "../cluster/access/kubeconfig";

/** What a feature needs of an existing cluster before anything is created on it. */
export type ClusterNeed = Needed & {
  /** Config key of what needs it. */
  readonly path: string;
  /** Default: the platform's cluster. */
  readonly access?: ClusterAccess | undefined;
  /** Whether something works without it. Default: false. */
  readonly isOptional?: true;
};

type Needed =
  /** Without a name, a default one. */
  | { readonly type: "storageClass" | "ingressClass"; readonly name?: string | undefined }
  /** An API that the platform does not install. */
  | { readonly type: "api"; readonly apiVersion: string; readonly kind: string }
  /** The rights to create, change and delete objects, such as `deployments.apps`. Without a namespace: cluster-wide. */
  | { readonly type: "objects"; readonly namespace?: string; readonly resources: readonly string[] };

/** Resources of almost every component. */
export const WORKLOAD = ["configmaps", "services", "serviceaccounts", "deployments.apps"] as const;
export const ROLES = ["roles.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io"] as const;
export const INGRESS = "ingresses.networking.k8s.io";

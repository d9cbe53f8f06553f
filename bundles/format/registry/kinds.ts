/** The kinds that OLM accepts in an operator bundle besides its ClusterServiceVersion. */

import type { KubeObject } from "../../../kubernetes/objects/objects";

const KINDS: ReadonlySet<string> = new Set([
  ...["ConfigMap", "Secret", "Service", "ServiceAccount"],
  ...["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  ...["NetworkPolicy", "PodDisruptionBudget", "PriorityClass", "VerticalPodAutoscaler"],
  ...["PodMonitor", "PrometheusRule", "ServiceMonitor"],
  ...["ConsoleCLIDownload", "ConsoleLink", "ConsolePlugin", "ConsoleQuickStart", "ConsoleYAMLSample"],
]);

type Kind = Pick<KubeObject, "apiVersion" | "kind">;

/** OLM only compares the kind: one of the operator's own kinds may have the same name, for example in a sample. */
export const isSupported = ({ kind }: Kind): boolean => KINDS.has(kind);

export const SUPPORTED = [...KINDS].sort().join(", ");

export const CSV_API = "operators.coreos.com/v1alpha1";
/** By kind alone, as in OLM. */
export const isCsv = ({ kind }: Kind): boolean => kind === "ClusterServiceVersion";

export const CRD_API = "apiextensions.k8s.io/v1";

/** Which kinds an operator bundle may define besides its ClusterServiceVersion: those that OLM takes. */

import { groupOf } from "../../../kubernetes/client/objects";
import type { KubeObject } from "../../../kubernetes/client/objects";

const KINDS: ReadonlySet<string> = new Set([
  ...["ConfigMap", "Secret", "Service", "ServiceAccount"],
  ...["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  ...["NetworkPolicy", "PodDisruptionBudget", "PriorityClass", "VerticalPodAutoscaler"],
  ...["PodMonitor", "PrometheusRule", "ServiceMonitor"],
  ...["ConsoleCLIDownload", "ConsoleLink", "ConsolePlugin", "ConsoleQuickStart", "ConsoleYAMLSample"],
]);

type Kind = Pick<KubeObject, "apiVersion" | "kind">;

/** OLM looks at the kind only: one of the operator's own may have the same name, such as an example of it. */
export const isSupported = ({ kind }: Kind): boolean => KINDS.has(kind);

export const SUPPORTED = [...KINDS].sort().join(", ");

export const CSV_API = "operators.coreos.com/v1alpha1";
/** By its kind alone, as for OLM. */
export const isCsv = ({ kind }: Kind): boolean => kind === "ClusterServiceVersion";

export const CRD_API = "apiextensions.k8s.io/v1";
export const isCrd = ({ apiVersion, kind }: Kind): boolean =>
  kind === "CustomResourceDefinition" && groupOf(apiVersion) === "apiextensions.k8s.io";

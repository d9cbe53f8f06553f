/** Which kinds an operator bundle may bring besides its ClusterServiceVersion: those that OLM takes. */

import { groupOf } from "../../../kubernetes/objects";
import type { KubeObject } from "../../../kubernetes/objects";

const GROUPS = new Map<string, readonly string[]>(
  Object.entries({
    "": ["ConfigMap", "Secret", "Service", "ServiceAccount"],
    "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
    "networking.k8s.io": ["NetworkPolicy"],
    policy: ["PodDisruptionBudget"],
    "scheduling.k8s.io": ["PriorityClass"],
    "autoscaling.k8s.io": ["VerticalPodAutoscaler"],
    "monitoring.coreos.com": ["PodMonitor", "PrometheusRule", "ServiceMonitor"],
    "console.openshift.io": [
      "ConsoleCLIDownload",
      "ConsoleLink",
      "ConsolePlugin",
      "ConsoleQuickStart",
      "ConsoleYAMLSample",
    ],
  }),
);

type Kind = Pick<KubeObject, "apiVersion" | "kind">;

export const isSupported = ({ apiVersion, kind }: Kind): boolean =>
  GROUPS.get(groupOf(apiVersion))?.includes(kind) ?? false;

export const SUPPORTED = [...GROUPS.values()].flat().sort().join(", ");

export const CSV_API = "operators.coreos.com/v1alpha1";
export const isCsv = ({ apiVersion, kind }: Kind): boolean =>
  kind === "ClusterServiceVersion" && groupOf(apiVersion) === "operators.coreos.com";

export const CRD_API = "apiextensions.k8s.io/v1";
export const isCrd = ({ apiVersion, kind }: Kind): boolean =>
  kind === "CustomResourceDefinition" && groupOf(apiVersion) === "apiextensions.k8s.io";

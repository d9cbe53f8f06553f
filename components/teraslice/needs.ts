import { INGRESS, ROLES, WORKLOAD, type ClusterNeed } from "../contract/needs";
import type { TerasliceSettings } from "./settings";

const MONITORING = "monitoring.coreos.com/v1";

/** What the objects of a master need of the cluster. Pure. */
export function needsOf(path: string, settings: TerasliceSettings): ClusterNeed[] {
  const { assetsClaim, ingress, httpRoute, serviceMonitor, podMonitor, prometheusRule } = settings;
  const apis = [
    ...(httpRoute ? [["gateway.networking.k8s.io/v1", "HTTPRoute"] as const] : []),
    ...(serviceMonitor ? [[MONITORING, "ServiceMonitor"] as const] : []),
    ...(podMonitor ? [[MONITORING, "PodMonitor"] as const] : []),
    ...(prometheusRule ? [[MONITORING, "PrometheusRule"] as const] : []),
  ];
  const resources = [...WORKLOAD, ...ROLES, ...(ingress ? [INGRESS] : [])];
  return [
    { path, type: "objects", namespace: settings.teraslice.kubernetes_namespace, resources },
    ...apis.map(([apiVersion, kind]) => ({ path, type: "api", apiVersion, kind }) as const),
    ...(assetsClaim
      ? [{ path: `${path}.assetsClaim`, type: "storageClass", name: assetsClaim.storageClass } as const]
      : []),
    ...(ingress ? [{ path: `${path}.ingress`, type: "ingressClass", name: ingress.className } as const] : []),
  ];
}

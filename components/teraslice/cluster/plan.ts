import { namespaceObjects } from "../../namespaces/plan";
import type { TerasliceJobSettings } from "../job/settings";
import type { AssetsClaim, TerasliceSettings } from "../settings";
import { configMaps } from "../podConfig/configMaps";
import { masterDeployment } from "./master";
import { clusterNames, masterLabels, type KubernetesRef } from "../podConfig/names";
import { monitorObjects } from "./monitors";
import { networkPolicies } from "./networkPolicy";
import { rbacObjects } from "./rbac";

/** Exposes the master's API outside of the cluster: an Ingress, or an HTTPRoute of the Gateway API. */
function reachObjects(settings: TerasliceSettings): object[] {
  const { ingress, httpRoute, teraslice } = settings;
  const { namespace, master } = clusterNames(settings);
  const metadata = (annotations: object): object => ({
    name: master,
    namespace,
    labels: masterLabels(settings),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
  const service = { name: master, port: { number: teraslice.port } };
  return [
    ...(ingress
      ? [
          {
            apiVersion: "networking.k8s.io/v1",
            kind: "Ingress",
            metadata: metadata(ingress.annotations),
            spec: {
              ...(ingress.className !== undefined && { ingressClassName: ingress.className }),
              ...(ingress.tls.length > 0 && {
                tls: ingress.tls.map(({ secretName, hosts }) => ({
                  secretName,
                  hosts: hosts.length > 0 ? hosts : ingress.hosts.map(({ host }) => host),
                })),
              }),
              rules: ingress.hosts.map(({ host, paths }) => ({
                host,
                http: { paths: paths.map((path) => ({ ...path, backend: { service } })) },
              })),
            },
          },
        ]
      : []),
    ...(httpRoute
      ? [
          {
            apiVersion: "gateway.networking.k8s.io/v1",
            kind: "HTTPRoute",
            metadata: metadata(httpRoute.annotations),
            spec: {
              parentRefs: httpRoute.parentRefs,
              ...(httpRoute.hostnames.length > 0 && { hostnames: httpRoute.hostnames }),
              rules: (httpRoute.rules.length > 0 ? httpRoute.rules : [{}]).map((rule) => ({
                ...rule,
                backendRefs: [{ name: master, port: teraslice.port }],
              })),
            },
          },
        ]
      : []),
  ];
}

/** All objects of a cluster in the order of application: dependencies come first. */
export function planTeraslice(
  settings: TerasliceSettings,
  jobs: readonly TerasliceJobSettings[] = [],
): Record<string, unknown>[] {
  const { assetsClaim, createNamespace, protection, teraslice } = settings;
  const { namespace } = clusterNames(settings);
  const objects = [
    // The Pod Security level of its jobs' pods depends on the version of the master, which creates them.
    ...(createNamespace
      ? namespaceObjects(namespace, [{ kind: "teraslice", config: protection, passes: "baseline" }])
      : []),
    ...priorityClass(settings),
    ...rbacObjects(settings),
    ...configMaps(settings),
    ...(assetsClaim && teraslice.assets_volume !== undefined
      ? [claim(teraslice.assets_volume, namespace, assetsClaim)]
      : []),
    ...networkPolicies(settings, jobs),
    service(settings),
    ...reachObjects(settings),
    ...monitorObjects(settings),
    masterDeployment(settings),
  ];
  return objects as Record<string, unknown>[];
}

/** References to the planned objects. */
export function objectRefs(settings: TerasliceSettings, jobs: readonly TerasliceJobSettings[]): KubernetesRef[] {
  return planTeraslice(settings, jobs).map(({ kind, metadata }) => {
    const { name, namespace } = metadata as Omit<KubernetesRef, "kind">;
    return { kind: String(kind), name, ...(namespace !== undefined && { namespace }) };
  });
}

function claim(name: string, namespace: string, { sizeGb, accessMode, storageClass }: AssetsClaim): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: {
      accessModes: [accessMode],
      ...(storageClass !== undefined && { storageClassName: storageClass }),
      resources: { requests: { storage: `${sizeGb}Gi` } },
    },
  };
}

function priorityClass({ priorityClass: wanted, teraslice }: TerasliceSettings): object[] {
  const name = teraslice.kubernetes_priority_class_name;
  if (wanted === undefined || name === undefined) return [];
  const description = "The Teraslice master, execution controllers and stateful workers.";
  return [{ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, ...wanted, description }];
}

function service(settings: TerasliceSettings): object {
  const { service: wanted, serviceMonitor, teraslice, terafoundation } = settings;
  const { namespace, master } = clusterNames(settings);
  const { nodePort } = wanted;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: master, namespace, labels: masterLabels(settings), annotations: wanted.annotations },
    spec: {
      type: wanted.type,
      selector: masterLabels(settings),
      ports: [
        { name: "api", port: teraslice.port, targetPort: "api", ...(nodePort !== undefined && { nodePort }) },
        // A ServiceMonitor finds pods by the ports of their Services.
        ...(serviceMonitor ? [{ name: "metrics", port: terafoundation.prom_metrics_port, targetPort: "metrics" }] : []),
      ],
    },
  };
}

import type { TerasliceSettings } from "../settings";

/** Names of a cluster's objects. The cluster's name is a DNS-1123 label of at most 40 characters, so all are legal. */
export interface ClusterNames {
  readonly namespace: string;
  /** Master's Deployment, Service and ServiceAccount. */
  readonly master: string;
  readonly masterConfig: string;
  readonly workerConfig: string;
}

export function clusterNames({ teraslice }: TerasliceSettings): ClusterNames {
  return {
    namespace: teraslice.kubernetes_namespace,
    master: `${teraslice.name}-master`,
    masterConfig: `${teraslice.name}-master`,
    workerConfig: teraslice.kubernetes_config_map_name,
  };
}

/** What the master looks for the cluster's pods by, itself among them. Its jobs' pods carry it too. */
export const clusterLabels = ({ teraslice }: TerasliceSettings): Record<string, string> => ({
  "app.kubernetes.io/name": "teraslice",
  "app.kubernetes.io/instance": teraslice.name,
});

/** What distinguishes an object from others in a cluster, whatever its version. */
export interface KubernetesRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export const masterLabels = (settings: TerasliceSettings): Record<string, string> => ({
  ...clusterLabels(settings),
  "app.kubernetes.io/component": "master",
});

/** Ports that Teraslice does not let one choose. */
export const PORTS = { master: 45678, assets: 45679, executionController: 45680 } as const;

/** Name of a master's component, which its resources are named by: it never changes. */
export const masterComponent = (name?: string): string => (name === undefined ? "teraslice" : `teraslice-${name}`);

/** Name of the set of its objects. */
export const objectsOf = (component: string): string => `${component}-objects`;

/** The account that jobs run as; undefined: `default`. */
export const jobAccount = ({ worker, teraslice }: TerasliceSettings): string | undefined =>
  worker.serviceAccount && `${teraslice.name}-jobs`;

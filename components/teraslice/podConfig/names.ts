import type { TerasliceSettings } from "../settings";

/**
 * Names of a cluster's objects. The cluster's name is a DNS-1123 label of at most 40 characters, so all names are
 * legal.
 */
interface ClusterNames {
  readonly namespace: string;
  /** Name of the master's Deployment, Service and ServiceAccount. */
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

/** Labels by which the master finds the pods of the cluster, including itself. Pods of its jobs have them too. */
export const clusterLabels = ({ teraslice }: TerasliceSettings): Record<string, string> => ({
  "app.kubernetes.io/name": "teraslice",
  "app.kubernetes.io/instance": teraslice.name,
});

/** Identity of an object, independent of its version. */
export interface KubernetesRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export const masterLabels = (settings: TerasliceSettings): Record<string, string> => ({
  ...clusterLabels(settings),
  "app.kubernetes.io/component": "master",
});

/** Ports that are fixed in Teraslice. */
export const PORTS = { master: 45678, assets: 45679, executionController: 45680 } as const;

/** Name of a master's component, which prefixes the names of its resources. Never changes. */
export const masterComponent = (name?: string): string => (name === undefined ? "teraslice" : `teraslice-${name}`);

/** Name of the ManifestSet of its objects. */
export const objectsOf = (component: string): string => `${component}-objects`;

/** Service account of jobs; undefined: `default`. */
export const jobAccount = ({ worker, teraslice }: TerasliceSettings): string | undefined =>
  worker.serviceAccount && `${teraslice.name}-jobs`;

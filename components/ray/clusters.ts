import type { RayEndpoint } from "../contract/site";
import type { NamespaceConfig } from "../namespaces/settings";

/** Default node pool of Ray on a cluster that the platform creates. Who made another one named its pools. */
export const DEFAULT_POOL = "ray";

/** Maximum share of a pod's memory for the object store. */
export const MOST_STORE = 0.8;

/** A Kubernetes object with a name, passed on unchanged. */
interface NamedObject extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Additional fields of pods, as in Kubernetes. */
export interface PodExtras {
  /** Values are strings, or objects with `valueFrom`. */
  readonly env: Readonly<Record<string, unknown>>;
  readonly envFrom: readonly Readonly<Record<string, unknown>>[];
  readonly volumes: readonly NamedObject[];
  /** Mounts in Ray's containers. */
  readonly volumeMounts: readonly (NamedObject & { readonly mountPath: string })[];
  readonly initContainers: readonly NamedObject[];
  readonly containers: readonly NamedObject[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly priorityClassName?: string;
  readonly topologySpreadConstraints: readonly Readonly<Record<string, unknown>>[];
}

/** Ports of Ray's processes. */
type RayPorts = Readonly<
  Record<"gcs" | "client" | "dashboard" | "nodeManager" | "objectManager" | "metrics" | "dashboardAgent", number>
>;

/** Modes of Ray clusters: who keeps the number of workers. */
export const RAY_MODES = ["static", "autoscaling", "kuberay"] as const;
export type RayMode = (typeof RAY_MODES)[number];

/** Decoded config of a Ray cluster. Its pod fields apply to all pods. */
export interface RayClusterConfig extends NamespaceConfig, PodExtras {
  readonly mode: RayMode;
  readonly namespace: string;
  /** Whether the platform creates the namespace. */
  readonly createNamespace: boolean;
  readonly rayVersion: string;
  /** Default: the official CPU image of the version. */
  readonly image?: string;
  /** Node pool; empty for any node. */
  readonly pool: string;
  readonly reservedCpu: number;
  /** Default: {@link reservedMemory}. */
  readonly reservedMemoryGb?: number;
  readonly head: RayPod & { readonly runsTasks: boolean };
  readonly workerGroups: Readonly<Record<string, WorkerGroup>>;
  readonly imagePullPolicy: string;
  /** Names of Secrets in the namespace. */
  readonly imagePullSecrets: readonly string[];
  /** Share of a pod's memory for the object store. */
  readonly objectStoreShare: number;
  readonly ports: RayPorts;
  readonly serviceAccount?: string;
  readonly headServiceAccount?: string;
  readonly auth?: { readonly secretName: string };
  readonly tls?: { readonly caSecretName: string };
  readonly gcsFaultTolerance?: {
    readonly redisAddress: string;
    readonly passwordSecret?: string;
    readonly passwordKey: string;
  };
  readonly autoscaler: { readonly idleTimeoutSeconds: number; readonly upscalingMode: string };
  readonly timeoutSeconds: number;
  /** Values of our chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A kind of Ray pod. */
export interface RayPod extends PodExtras {
  /** CPUs of its node. */
  readonly cpu: number;
  readonly memoryGb: number;
  readonly gpu: number;
  readonly pool?: string;
  readonly image?: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Readonly<Record<string, unknown>>[];
  readonly rayStartParams: Readonly<Record<string, string>>;
  /** Default: the cluster's. */
  readonly objectStoreShare?: number;
  /** Additional ports of its container. */
  readonly ports: readonly Readonly<Record<string, unknown>>[];
}

export interface WorkerGroup extends RayPod {
  /** Default: the cluster's. */
  readonly serviceAccount?: string;
  /** Number of workers in a group of fixed size. */
  readonly replicas?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

/**
 * Memory in GB of a node with `memoryGb` that pods leave to the kubelet, the system and DaemonSets. The chart computes
 * the same.
 */
export const reservedMemory = (memoryGb: number, reservedMemoryGb?: number): number =>
  reservedMemoryGb ?? Math.min(2, memoryGb / 4);

/** Flags of `ray start` that are derived from other fields. */
export const RESERVED_PARAMS: ReadonlySet<string> = new Set([
  "address",
  "autoscaling-config",
  "block",
  "dashboard-agent-listen-port",
  "dashboard-host",
  "dashboard-port",
  "head",
  "labels",
  "memory",
  "metrics-export-port",
  "node-manager-port",
  "num-cpus",
  "num-gpus",
  "object-manager-port",
  "object-store-memory",
  "port",
  "ray-client-server-port",
  "redis-password",
]);

/** Variables that are derived from other fields. */
export const RESERVED_ENV: ReadonlySet<string> = new Set([
  "PYTHONPATH",
  "RAY_AUTH_MODE",
  "RAY_AUTH_TOKEN",
  "RAY_REDIS_ADDRESS",
  "RAY_TLS_CA_CERT",
  "RAY_TLS_SERVER_CERT",
  "RAY_TLS_SERVER_KEY",
  "RAY_USE_TLS",
  "RAY_enable_autoscaler_v2",
  "REDIS_PASSWORD",
]);

/** Names of containers, volumes and paths that the chart or the operator uses. */
export const RESERVED_CONTAINERS: ReadonlySet<string> = new Set([
  "autoscaler",
  "certificate",
  "head",
  "wait-for-head",
  "wait-gcs-ready",
  "worker",
]);
export const RESERVED_VOLUMES: ReadonlySet<string> = new Set([
  "authority",
  "autoscaler",
  "ray-logs",
  "scripts",
  "sessions",
  "shm",
  "tls",
]);
export const RESERVED_MOUNTS: readonly string[] = ["/dev/shm", "/etc/ray", "/tmp/ray"];
/** Labels that are used to select pods. */
export const RESERVED_LABELS =
  /^(app\.kubernetes\.io\/(name|instance|component|version|created-by)|ray-group|ray\.io\/.*)$/;

/** The official CPU image. */
export const defaultImage = (rayVersion: string): string => `rayproject/ray:${rayVersion}-py312-cpu`;

/** The endpoint of the cluster called `name`. */
export function rayEndpoint(
  name: string,
  config: Pick<RayClusterConfig, "mode" | "namespace" | "rayVersion" | "auth" | "ports" | "image" | "tls">,
): RayEndpoint {
  const { mode, namespace, rayVersion, auth, ports } = config;
  const service = `${name}-ray-head-svc`;
  const host = `${service}.${namespace}.svc`;
  return {
    mode,
    namespace,
    service,
    address: `ray://${host}:${ports.client}`,
    dashboard: `http://${host}:${ports.dashboard}`,
    gcs: `${host}:${ports.gcs}`,
    rayVersion,
    image: config.image ?? defaultImage(rayVersion),
    ...(auth && { authSecret: auth.secretName }),
    ...(config.tls && { caSecret: config.tls.caSecretName }),
  };
}

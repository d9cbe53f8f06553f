/** Default node pool of Ray on a cluster that the platform creates. Who made another one named its pools. */
export const DEFAULT_POOL = "ray";

/** Maximum share of a pod's memory for the object store. */
export const MOST_STORE = 0.8;

/** Modes of Ray clusters: who keeps the number of workers. */
export const RAY_MODES = ["static", "autoscaling", "kuberay"] as const;
export type RayMode = (typeof RAY_MODES)[number];

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

import type { NamespaceConfig } from "../namespaces/settings";

/** The node pool that Ray runs in where the config names none. */
export const DEFAULT_POOL = "ray";

/** A Ray cluster as the config says, complete. */
export interface RayClusterConfig extends NamespaceConfig {
  readonly mode: "static" | "autoscaling" | "kuberay";
  readonly namespace: string;
  /** Whether the platform makes the namespace. */
  readonly createNamespace: boolean;
  readonly rayVersion: string;
  /** Default: the official one of the version, for CPUs. */
  readonly image?: string;
  /** Node pool; empty for any node. */
  readonly pool: string;
  readonly reservedCpu: number;
  readonly head: RayPod & { readonly runsTasks: boolean };
  readonly workerGroups: Readonly<Record<string, WorkerGroup>>;
  readonly env: Readonly<Record<string, string>>;
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
}

/** One kind of Ray pod. */
export interface RayPod {
  /** CPUs of its node. */
  readonly cpu: number;
  readonly memoryGb: number;
  readonly gpu: number;
  readonly pool?: string;
  readonly image?: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Readonly<Record<string, unknown>>[];
  readonly rayStartParams: Readonly<Record<string, string>>;
}

export interface WorkerGroup extends RayPod {
  /** Workers of a group of fixed size. */
  readonly replicas?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

/** Flags of `ray start` that follow from the other fields. */
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

/** Variables that follow from the other fields. */
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

/** Where a cluster is reached. The same in every mode. */
export interface RayEndpoint {
  readonly mode: string;
  readonly namespace: string;
  readonly service: string;
  /** For clients in Kubernetes: `ray://…`. */
  readonly address: string;
  /** Jobs and dashboard, in Kubernetes. */
  readonly dashboard: string;
  readonly rayVersion: string;
  /** Secret whose key `auth_token` clients need. */
  readonly authSecret?: string;
}

/** The endpoint of the cluster called `name`. */
export function rayEndpoint(
  name: string,
  { mode, namespace, rayVersion, auth }: Pick<RayClusterConfig, "mode" | "namespace" | "rayVersion" | "auth">,
): RayEndpoint {
  const service = `${name}-ray-head-svc`;
  const host = `${service}.${namespace}.svc`;
  return {
    mode,
    namespace,
    service,
    address: `ray://${host}:10001`,
    dashboard: `http://${host}:8265`,
    rayVersion,
    ...(auth && { authSecret: auth.secretName }),
  };
}

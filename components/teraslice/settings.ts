import type { NamespaceConfig } from "../namespaces/settings";

/** Name of the master at `teraslice` in commands. The others have their keys as names. */
export const SINGLE = "default";

/**
 * Decoded config of a Teraslice cluster, with all defaults. Used by the component, its ConfigMaps and the rendering of
 * jobs.
 */
export interface TerasliceSettings {
  /** Config key of the cluster, for messages. */
  readonly source: string;
  /** Image of the master, with its tag. */
  readonly image: string;
  /** Whether the namespace (`teraslice.kubernetes_namespace`) is created, and deleted with the cluster. */
  readonly createNamespace: boolean;
  /** Policies of that namespace, as far as the config sets them. Its NetworkPolicies are in `networkPolicy`. */
  readonly protection: NamespaceConfig;
  /**
   * `least`: a separate service account with the permissions it needs. `original`: all permissions for the account
   * `default`.
   */
  readonly rbac: string;
  /** Pull secrets of the master and of jobs. */
  readonly imagePullSecrets: readonly string[];
  readonly master: MasterPod;
  readonly worker: WorkerPods;
  /** Creates the PriorityClass `teraslice.kubernetes_priority_class_name`. */
  readonly priorityClass?: PriorityClass;
  readonly service: MasterService;
  /** Objects around the master. Each is created only if set. */
  readonly ingress?: Ingress;
  readonly httpRoute?: HttpRoute;
  readonly serviceMonitor?: Scraping;
  readonly podMonitor?: PodMonitor;
  readonly prometheusRule?: PrometheusRule;
  readonly networkPolicy: NetworkSettings;
  /** Creates the claim `teraslice.assets_volume`. Default: it already exists, or assets have no volume. */
  readonly assetsClaim?: AssetsClaim;
  /** Seconds until the master must be ready. */
  readonly timeoutSeconds: number;
  /** Warnings for every preview, one per line with its path. */
  readonly warnings: readonly string[];
  /** Section `teraslice` of the configuration file, named as in Teraslice's documentation. */
  readonly teraslice: MasterSettings;
  /** Section `terafoundation` of the configuration file. */
  readonly terafoundation: TerafoundationSettings;
}

/** Settings that a master reads. Durations are in milliseconds. */
export interface MasterSettings {
  readonly action_timeout: number;
  readonly analytics_rate: number;
  readonly api_response_timeout: number;
  readonly asset_storage_bucket?: string;
  readonly asset_storage_connection: string;
  readonly asset_storage_connection_type: string;
  readonly assets_directory: string;
  /** Claim that is mounted at `assets_directory` in the master and in all pods of jobs. */
  readonly assets_volume?: string;
  readonly cluster_manager_type: string;
  /** CPUs of a worker, by default. */
  readonly cpu?: number;
  readonly cpu_execution_controller: number;
  /** Environment of all pods of jobs. */
  readonly env_vars: Readonly<Record<string, string>>;
  readonly execution_controller_targets?: readonly Target[];
  readonly index_rollover_frequency: { readonly state: string; readonly analytics: string };
  readonly kubernetes_api_poll_delay: number;
  readonly kubernetes_config_map_name: string;
  readonly kubernetes_image: string;
  readonly kubernetes_image_pull_secret?: string;
  readonly kubernetes_namespace: string;
  readonly kubernetes_overrides_enabled: boolean;
  readonly kubernetes_priority_class_name?: string;
  readonly kubernetes_worker_antiaffinity: boolean;
  /** Memory of a worker in bytes, by default. */
  readonly memory?: number;
  /** In bytes. */
  readonly memory_execution_controller: number;
  readonly name: string;
  readonly network_latency_buffer: number;
  readonly node_disconnect_timeout: number;
  readonly node_state_interval: number;
  readonly port: number;
  readonly shutdown_timeout: number;
  readonly slicer_allocation_attempts: number;
  readonly slicer_timeout: number;
  readonly state: { readonly connection: string };
  readonly worker_disconnect_timeout: number;
}

/** Nodes with the label `key: value`. */
interface Target {
  readonly key: string;
  readonly value: string;
}

interface TerafoundationSettings {
  readonly environment?: string;
  /** A level, or one per destination. */
  readonly log_level: string | readonly object[];
  readonly prom_metrics_enabled: boolean;
  readonly prom_metrics_port: number;
  readonly prom_metrics_add_default: boolean;
  /** Connection settings by type and name. A {@link SecretKey} replaces a secret. */
  readonly connectors: Connectors;
}

export type Connectors = Readonly<Record<string, Readonly<Record<string, Connection>>>>;
type Connection = Readonly<Record<string, unknown>>;

/** A key of a Secret in the cluster's namespace. */
export interface SecretKey {
  readonly secret: string;
  readonly key: string;
}

/** A Kubernetes object or a part of one. */
type KubernetesJson = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** Overrides of the configuration sections for one kind of pod. */
interface OwnSections {
  readonly settings: KubernetesJson;
  readonly terafoundation: KubernetesJson;
}

/** Additional settings of jobs' pods. */
interface WorkerPods extends OwnSections {
  readonly envFrom: readonly KubernetesJson[];
  readonly initContainers: readonly (KubernetesJson & { readonly name: string })[];
  /** Creates a service account without permissions, which jobs run as. */
  readonly serviceAccount?: { readonly annotations: Texts };
}

interface PriorityClass {
  readonly value: number;
  readonly preemptionPolicy: string;
}

interface Ingress {
  readonly className?: string;
  readonly annotations: Texts;
  readonly hosts: readonly {
    readonly host: string;
    readonly paths: readonly { readonly path: string; readonly pathType: string }[];
  }[];
  readonly tls: readonly { readonly secretName: string; readonly hosts: readonly string[] }[];
}

interface HttpRoute {
  readonly annotations: Texts;
  readonly parentRefs: readonly KubernetesJson[];
  readonly hostnames: readonly string[];
  readonly rules: readonly KubernetesJson[];
}

/** How Prometheus scrapes metrics. */
export interface Scraping {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly interval: string;
  readonly metricRelabelings: readonly KubernetesJson[];
  readonly relabelings: readonly KubernetesJson[];
}

interface PodMonitor extends Scraping {
  readonly jobLabel: string;
  readonly podTargetLabels: readonly string[];
  readonly matchLabels: Texts;
}

interface PrometheusRule {
  readonly labels: Texts;
  readonly rules: readonly KubernetesJson[];
}

interface MasterPod extends OwnSections {
  /** CPU request. */
  readonly cpu: number;
  /** CPU limit. Not set: no limit. */
  readonly cpuLimit?: number;
  readonly affinity?: KubernetesJson;
  readonly env: Readonly<Record<string, string | { readonly valueFrom: KubernetesJson }>>;
  readonly envFrom: readonly KubernetesJson[];
  readonly volumes: readonly (KubernetesJson & { readonly name: string })[];
  readonly volumeMounts: readonly (KubernetesJson & { readonly name: string; readonly mountPath: string })[];
  readonly initContainers: readonly (KubernetesJson & { readonly name: string })[];
  readonly containers: readonly (KubernetesJson & { readonly name: string })[];
  readonly labels: Texts;
  readonly annotations: Texts;
  /** Annotations of its own service account. */
  readonly serviceAccount: { readonly annotations: Texts };
  /** Memory in MiB, both request and limit. */
  readonly memoryMb: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly object[];
  /** Whether the autoscaler may remove its node. */
  readonly evictable: boolean;
}

interface MasterService {
  /** `ClusterIP`, `NodePort` or `LoadBalancer`. */
  readonly type: string;
  readonly nodePort?: number;
  readonly annotations: Readonly<Record<string, string>>;
}

interface NetworkSettings {
  readonly enabled: boolean;
  /** Namespaces whose pods may reach the master's API, in addition to its own. */
  readonly clientNamespaces: readonly string[];
  /** Addresses that may reach the master's API. */
  readonly clientCidrs: readonly string[];
  /** Addresses of the Kubernetes API server. */
  readonly apiServerCidrs: readonly string[];
  /** Addresses that master and jobs may reach in addition to the connectors. */
  readonly egress: readonly Egress[];
}

interface Egress {
  readonly cidr: string;
  /** TCP ports. */
  readonly ports: readonly number[];
}

export interface AssetsClaim {
  /** In GiB. */
  readonly sizeGb: number;
  readonly accessMode: string;
  readonly storageClass?: string;
}

export const isSecretKey = (value: unknown): value is SecretKey =>
  typeof value === "object" && value !== null && "secret" in value && "key" in value;

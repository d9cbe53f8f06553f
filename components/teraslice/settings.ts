import type { NamespaceConfig } from "../namespaces/settings";

/** What commands call the master that is described at `teraslice`; the others go by their keys. */
export const SINGLE = "default";

/** What a Teraslice cluster is made of, complete: the component, its ConfigMaps and the rendering of jobs all start here. */
export interface TerasliceSettings {
  /** Where it is written, for messages: a key of the config. */
  readonly source: string;
  /** Image of the master, with its tag. */
  readonly image: string;
  /** Whether the namespace (`teraslice.kubernetes_namespace`) is made, and goes with the cluster. */
  readonly createNamespace: boolean;
  /** What that namespace is protected by, where that is said; its NetworkPolicies are `networkPolicy`. */
  readonly protection: NamespaceConfig;
  /** `least`: an account of its own with the rights it needs. `original`: every right for the `default` account. */
  readonly rbac: string;
  /** Secrets by which images are pulled, of the master and of jobs. */
  readonly imagePullSecrets: readonly string[];
  readonly master: MasterPod;
  readonly worker: WorkerPods;
  /** Makes the PriorityClass `teraslice.kubernetes_priority_class_name`. */
  readonly priorityClass?: PriorityClass;
  readonly service: MasterService;
  /** What is made around the master; absent: none of it. */
  readonly ingress?: Ingress;
  readonly httpRoute?: HttpRoute;
  readonly serviceMonitor?: Scraping;
  readonly podMonitor?: PodMonitor;
  readonly prometheusRule?: PrometheusRule;
  readonly networkPolicy: NetworkSettings;
  /** Makes the claim `teraslice.assets_volume`; default: it already exists, or assets have no volume. */
  readonly assetsClaim?: AssetsClaim;
  /** Seconds until the master has to be ready. */
  readonly timeoutSeconds: number;
  /** What is probably not meant, each a line with its path; for every preview. */
  readonly warnings: readonly string[];
  /** Section `teraslice` of the configuration file, by the names that Teraslice documents. */
  readonly teraslice: MasterSettings;
  /** Section `terafoundation` of the configuration file. */
  readonly terafoundation: TerafoundationSettings;
}

/** Settings that a master reads; times in milliseconds. */
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
  /** CPUs of a worker whose job says nothing. */
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
  /** Bytes of a worker whose job says nothing. */
  readonly memory?: number;
  /** Bytes. */
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
export interface Target {
  readonly key: string;
  readonly value: string;
}

export interface TerafoundationSettings {
  readonly environment?: string;
  /** A level, or one for each destination. */
  readonly log_level: string | readonly object[];
  readonly prom_metrics_enabled: boolean;
  readonly prom_metrics_port: number;
  readonly prom_metrics_add_default: boolean;
  /** Type of a connection to its name to its settings. A {@link SecretKey} replaces a secret. */
  readonly connectors: Connectors;
}

export type Connectors = Readonly<Record<string, Readonly<Record<string, Connection>>>>;
export type Connection = Readonly<Record<string, unknown>>;

/** One key of a Secret in the cluster's namespace. */
export interface SecretKey {
  readonly secret: string;
  readonly key: string;
}

/** An object of Kubernetes, as it is written there. */
export type KubernetesJson = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** What one kind of pods has instead of a section of the configuration. */
export interface OwnSections {
  readonly settings: KubernetesJson;
  readonly terafoundation: KubernetesJson;
}

/** Pods of jobs, besides what their master gives them. */
export interface WorkerPods extends OwnSections {
  readonly envFrom: readonly KubernetesJson[];
  readonly initContainers: readonly (KubernetesJson & { readonly name: string })[];
  /** Makes an account without rights, as which jobs run. */
  readonly serviceAccount?: { readonly annotations: Texts };
}

export interface PriorityClass {
  readonly value: number;
  readonly preemptionPolicy: string;
}

export interface Ingress {
  readonly className?: string;
  readonly annotations: Texts;
  readonly hosts: readonly {
    readonly host: string;
    readonly paths: readonly { readonly path: string; readonly pathType: string }[];
  }[];
  readonly tls: readonly { readonly secretName: string; readonly hosts: readonly string[] }[];
}

export interface HttpRoute {
  readonly annotations: Texts;
  readonly parentRefs: readonly KubernetesJson[];
  readonly hostnames: readonly string[];
  readonly rules: readonly KubernetesJson[];
}

/** How a Prometheus asks for metrics. */
export interface Scraping {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly interval: string;
  readonly metricRelabelings: readonly KubernetesJson[];
  readonly relabelings: readonly KubernetesJson[];
}

export interface PodMonitor extends Scraping {
  readonly jobLabel: string;
  readonly podTargetLabels: readonly string[];
  readonly matchLabels: Texts;
}

export interface PrometheusRule {
  readonly labels: Texts;
  readonly rules: readonly KubernetesJson[];
}

export interface MasterPod extends OwnSections {
  /** CPUs that it has for certain. */
  readonly cpu: number;
  /** CPUs at most; absent: no limit. */
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
  /** Of its own account. */
  readonly serviceAccount: { readonly annotations: Texts };
  /** Memory in MiB; request and limit. */
  readonly memoryMb: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly object[];
  /** Whether a node may be drained while the master is on it. */
  readonly evictable: boolean;
}

export interface MasterService {
  /** `ClusterIP`, `NodePort` or `LoadBalancer`. */
  readonly type: string;
  readonly nodePort?: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface NetworkSettings {
  readonly enabled: boolean;
  /** Namespaces whose pods reach the master's API, besides its own. */
  readonly clientNamespaces: readonly string[];
  /** Addresses that reach the master's API. */
  readonly clientCidrs: readonly string[];
  /** Addresses of the Kubernetes API server. */
  readonly apiServerCidrs: readonly string[];
  /** What the master and jobs reach besides the connectors. */
  readonly egress: readonly Egress[];
}

export interface Egress {
  readonly cidr: string;
  /** TCP. */
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

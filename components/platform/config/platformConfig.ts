import type { ChartsConfig } from "../../charts/charts";
import type { ClickHouseConfig } from "../../clickhouse/settings";
import type { AutoscalerSettings } from "../../cluster/autoscaler/settings";
import type { DataAccessConfig } from "../../cluster/dataAccess/dataAccess";
import type { EksConfig } from "../../cluster/eks/eksConfig";
import type { ExistingEks } from "../../cluster/eks/onEks";
import type { KarpenterSettings } from "../../cluster/karpenter/settings";
import type { GpuPluginSettings } from "../../cluster/gpu/settings";
import type { MetricsSettings } from "../../cluster/metrics/settings";
import type { IngressSettings } from "../../ingress/settings";
import type { PoolHost } from "../../resources/staticPool";
import type { JupyterHubSettings } from "../../jupyterhub/settings";
import type { RayClusterConfig } from "../../ray/clusters";
import type { OperatorSettings } from "../../ray/operator/settings";
import type { GardenerProvisioner, KubernetesProvisioner, SlotSize } from "../../runtime/platform/platform";
import type { PlannedInstance } from "../../bundle/settings";
import type { ServiceSettings } from "../../service/settings";
import type { TerasliceConfig } from "../../teraslice/job/settings";
import type { NamespaceConfig } from "../../namespaces/settings";
import type { ClusterAccess } from "../../provisioners/config/kubeconfig";

/** The config of a platform stack, checked, with every default filled in and every file read. */
export interface PlatformConfig {
  /** Absent when no provisioner uses the platform's cluster and none is configured. */
  readonly cluster?: ClusterConfig;
  /** Hosts of each static provisioner, by its name. */
  readonly pools: Readonly<Record<string, readonly PoolHost[]>>;
  /** The Kubernetes provisioners by name. A name is in one of the maps only. */
  readonly kubernetes: Readonly<Record<string, KubernetesConfig>>;
  /** The Gardener provisioners by name; absent when there is none. */
  readonly gardener?: Readonly<Record<string, GardenerConfig>>;
  /** Roles for data on AWS, by name; empty unless the cluster is one on EKS. */
  readonly dataAccess: Readonly<Record<string, DataAccessConfig>>;
  readonly defaultProvisioner: string;
  /** Provisioners that may be removed although deployments are with them. */
  readonly allowRemoval: readonly string[];
  /** Default provisioner of each environment. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL; a secret. Absent when no provisioner is static. */
  readonly ledgerUrl?: string;
  /** How deployments get a ClickHouse database, by name. Secret, because the URLs are. */
  readonly clickhouse: Readonly<Record<string, ClickHouseConfig>>;
  /** Where upstream charts come from, and which the configured components need. */
  readonly charts: ChartsConfig;
  /** Absent when it is not configured, disabled or skipped. */
  readonly clusterAutoscaler?: AutoscalerSettings;
  /** Absent unless nodes come by Karpenter. */
  readonly karpenter?: KarpenterSettings;
  /** What serves Ingresses; absent when it is not configured. */
  readonly ingress?: IngressSettings;
  /** Absent when it is not configured or disabled. */
  readonly gpuDevicePlugin?: GpuPluginSettings;
  /** Absent when it is not configured, disabled or skipped. */
  readonly metricsServer?: MetricsSettings;
  /** Absent when it is not configured, disabled or skipped. */
  readonly jupyterhub?: JupyterHubSettings;
  /** Ray clusters that are enabled, by name; absent when there are none. */
  readonly ray?: Readonly<Record<string, RayClusterConfig>>;
  /** The operator of those of mode `kuberay`. */
  readonly rayOperator: OperatorSettings;
  /** Absent when it is not configured or disabled. */
  readonly teraslice?: TerasliceConfig;
  /** More Teraslice clusters that are enabled, by name. */
  readonly terasliceClusters: Readonly<Record<string, TerasliceConfig>>;
  /** The provisioning service; absent when it is not configured or disabled. */
  readonly service?: ServiceSettings;
  /** Instances of bundles that are enabled, each after those that it needs. */
  readonly bundles: readonly PlannedInstance[];
  /** Where images come from; the others of this config already exist. */
  readonly images: { readonly mirror?: string };
  /** Components that the config names and disables. */
  readonly disabled: readonly DisabledComponent[];
  /** What a user should know although it is no fault. */
  readonly warnings: readonly string[];
}

/** A component that is disabled, for reporting what goes with it. */
export interface DisabledComponent {
  /** Config key of the component. */
  readonly component: string;
  /** Name of the component's class, which its resources in the state are identified by. */
  readonly token: string;
  /** Name of a resource that it has, where the platform may have several of the class. Default: any of them. */
  readonly resource?: string;
  /** What is lost and what stays. */
  readonly consequences: string;
}

/** The platform's cluster: one that exists, or one that is made on EKS. */
export type ClusterConfig =
  | { readonly type: "existing"; readonly access: ClusterAccess; readonly eks?: ExistingEks }
  | { readonly type: "eks"; readonly eks: EksConfig };

/** How runtimes are made in Kubernetes. */
export interface KubernetesConfig {
  /** Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  /** Whether the platform makes the namespace. */
  readonly createNamespace: boolean;
  /** What the namespace that the platform makes is protected by, where that is said. */
  readonly namespace: NamespaceConfig;
  readonly settings: KubernetesSettings;
}

/** What a runtime stack reads of a Kubernetes provisioner, but for the cluster. */
export type KubernetesSettings = Omit<KubernetesProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

/** How clusters are had from Gardener. */
export interface GardenerConfig {
  /** The way to Gardener. */
  readonly access: ClusterAccess;
  readonly settings: GardenerSettings;
}

/** What a runtime stack reads of a Gardener provisioner, but for the way to Gardener. */
export type GardenerSettings = Omit<GardenerProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

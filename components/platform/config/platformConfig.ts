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

/** Decoded config of a platform stack, with all defaults and the content of referenced files. */
export interface PlatformConfig {
  /** Not set if it is not configured and no provisioner uses it. */
  readonly cluster?: ClusterConfig;
  /** Hosts of each static provisioner, by provisioner name. */
  readonly pools: Readonly<Record<string, readonly PoolHost[]>>;
  /** Kubernetes provisioners by name. Names are unique across all types. */
  readonly kubernetes: Readonly<Record<string, KubernetesConfig>>;
  /** Gardener provisioners by name; not set if there are none. */
  readonly gardener?: Readonly<Record<string, GardenerConfig>>;
  /** IAM roles for data on AWS, by name. Empty unless the cluster is on EKS. */
  readonly dataAccess: Readonly<Record<string, DataAccessConfig>>;
  readonly defaultProvisioner: string;
  /** Provisioners that may be removed although deployments use them. */
  readonly allowRemoval: readonly string[];
  /** Default provisioner of each environment, by environment name. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL; a secret. Not set if no provisioner is static. */
  readonly ledgerUrl?: string;
  /** ClickHouse provisioners by name. Secret, because their URLs are. */
  readonly clickhouse: Readonly<Record<string, ClickHouseConfig>>;
  /** Sources of upstream charts, and the charts that the configured components need. */
  readonly charts: ChartsConfig;
  /** Not set if not configured, disabled or skipped. */
  readonly clusterAutoscaler?: AutoscalerSettings;
  /** Set if Karpenter creates the nodes. */
  readonly karpenter?: KarpenterSettings;
  /** Ingress controllers, DNS and certificates; not set if not configured. */
  readonly ingress?: IngressSettings;
  /** Not set if not configured or disabled. */
  readonly gpuDevicePlugin?: GpuPluginSettings;
  /** Not set if not configured, disabled or skipped. */
  readonly metricsServer?: MetricsSettings;
  /** Not set if not configured, disabled or skipped. */
  readonly jupyterhub?: JupyterHubSettings;
  /** Enabled Ray clusters by name; not set if there are none. */
  readonly ray?: Readonly<Record<string, RayClusterConfig>>;
  /** The operator of Ray clusters in mode `kuberay`. */
  readonly rayOperator: OperatorSettings;
  /** Not set if not configured or disabled. */
  readonly teraslice?: TerasliceConfig;
  /** Additional enabled Teraslice clusters, by name. */
  readonly terasliceClusters: Readonly<Record<string, TerasliceConfig>>;
  /** The provisioning service; not set if not configured or disabled. */
  readonly service?: ServiceSettings;
  /** Enabled bundle instances, dependencies first. */
  readonly bundles: readonly PlannedInstance[];
  /** Mirror of all images. Images in this config are already rewritten to it. */
  readonly images: { readonly mirror?: string };
  /** Components that the config explicitly disables. */
  readonly disabled: readonly DisabledComponent[];
  /** Messages for the user that are not faults. */
  readonly warnings: readonly string[];
}

/** A disabled component, to report what its removal deletes. */
export interface DisabledComponent {
  /** Config key of the component. */
  readonly component: string;
  /** Name of the component's class, which identifies its resources in the state. */
  readonly token: string;
  /** Name of one of its resources, if the platform may have several of the class. Default: any. */
  readonly resource?: string;
  /** What its removal deletes and keeps, for messages. */
  readonly consequences: string;
}

/** The platform's cluster: an existing one, or one that is created on EKS. */
export type ClusterConfig =
  | { readonly type: "existing"; readonly access: ClusterAccess; readonly eks?: ExistingEks }
  | { readonly type: "eks"; readonly eks: EksConfig };

/** A provisioner of type kubernetes. */
export interface KubernetesConfig {
  /** Access to its cluster. Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  /** Whether the platform creates the namespace. */
  readonly createNamespace: boolean;
  /** Policies of the namespace that the platform creates, as far as the config sets them. */
  readonly namespace: NamespaceConfig;
  readonly settings: KubernetesSettings;
}

/** What a runtime stack reads of a Kubernetes provisioner, except for the cluster. */
export type KubernetesSettings = Omit<KubernetesProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

/** A provisioner of type gardener. */
export interface GardenerConfig {
  /** Access to Gardener. */
  readonly access: ClusterAccess;
  readonly settings: GardenerSettings;
}

/** What a runtime stack reads of a Gardener provisioner, except for the access to Gardener. */
export type GardenerSettings = Omit<GardenerProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

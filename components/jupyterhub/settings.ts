import type { NamespaceConfig } from "../namespaces/settings";
import type { LoginSettings } from "./logins/login";

/** Node selector and tolerations of pods. */
export interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** Size of a notebook. Fields that are not set have the chart's defaults. */
export interface NotebookSize {
  readonly cpu?: number;
  readonly cpuLimit?: number;
  readonly memoryGb?: number;
  readonly memoryLimitGb?: number;
  readonly gpus?: number;
}

/** An option of the page that starts a notebook. */
export interface Profile extends NotebookSize {
  readonly displayName: string;
  readonly description?: string;
  readonly image?: string;
  readonly isDefault: boolean;
  readonly placement: Placement;
  readonly environment: Readonly<Record<string, string>>;
}

interface HttpsSettings {
  /** `letsencrypt`, `secret`, `offload` (TLS ends at a load balancer before the proxy) or `off`. */
  readonly type: string;
  readonly email?: string;
  readonly secretName?: string;
}

interface StorageSettings {
  /** `dynamic` (a claim per user), `static` (folders in a shared claim) or `none`. */
  readonly type: string;
  readonly sizeGb: number;
  readonly storageClass?: string;
  readonly claim?: string;
  readonly homeFolder: string;
}

/** When idle notebooks are stopped. */
interface CullingSettings {
  readonly idleMinutes: number;
  readonly everyMinutes: number;
  /** 0: no limit. */
  readonly maxAgeHours: number;
}

/** Decoded config of JupyterHub, with all defaults. */
export interface JupyterHubSettings {
  readonly namespace: string;
  /** Name of the Helm release. Prefixes the names of its cluster-scoped objects. */
  readonly releaseName: string;
  /** Policies of its namespace, as far as the config sets them. The chart includes NetworkPolicies. */
  readonly protection: NamespaceConfig;
  /** Public host name. Not set if the hub is reachable only by port-forward. */
  readonly host?: string;
  readonly https: HttpsSettings;
  /** Type and annotations of the public Service. */
  readonly service: { readonly type: string; readonly annotations: Readonly<Record<string, string>> };
  readonly login: LoginSettings;
  /** Image of notebooks with its tag. */
  readonly image: string;
  readonly size: NotebookSize;
  readonly placement: Placement;
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly storage: StorageSettings;
  /** Not set: idle notebooks keep running. */
  readonly culling?: CullingSettings;
  readonly prePull: { readonly onUpgrade: boolean; readonly always: boolean };
  /** How notebooks are kept from the cloud's metadata service: `iptables`, `networkPolicy` or `nothing`. */
  readonly metadataBlock: string;
  /** Name of the notebooks' service account. */
  readonly serviceAccount: string;
  /** Whether that service account is created elsewhere. */
  readonly serviceAccountExists: boolean;
  /** `dataAccess` entry whose role that service account is annotated with. */
  readonly roleEntry?: string;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * CIDRs that notebooks may reach on port 443 in addition to the internet, such as interface endpoints of S3 and STS.
   */
  readonly egress: readonly string[];
  /** Values that select the chart's images on a mirror. Empty: the chart's defaults. */
  readonly chartImages: Readonly<Record<string, unknown>>;
  /** Whether notebooks connect to a Ray cluster of the platform. */
  readonly ray: boolean;
  /** Its name. Default: the first by name. */
  readonly rayCluster?: string;
  /** Whether the users' disks and the hub's database are kept when the component is removed. */
  readonly keepVolumes: boolean;
  readonly startTimeoutSeconds: number;
  readonly timeoutSeconds: number;
  /** The user's values of the upstream chart; merged last. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether those values may contain secrets. */
  readonly valuesAreSecret: boolean;
}

import type { NamespaceConfig } from "../namespaces/settings";

/** How the hub logs people in through Auth0. */
export interface Auth0Settings {
  /** Domain of the tenant: `acme.eu.auth0.com`. */
  readonly domain: string;
  readonly clientId: string;
  /** A secret; it reaches the hub through a Kubernetes Secret and is in no Helm value. */
  readonly clientSecret: string;
  /** Where Auth0 sends people back to. */
  readonly callback: string;
  readonly scopes: readonly string[];
  /** Claim that lists the groups of a user; there only where groups are used. */
  readonly groupsClaim?: string;
  readonly allowedGroups: readonly string[];
  readonly adminGroups: readonly string[];
}

/** Where pods run: the labels of the nodes and the taints that are tolerated. */
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

/** Size of a notebook; what is not set is the chart's own. */
export interface NotebookSize {
  readonly cpu?: number;
  readonly cpuLimit?: number;
  readonly memoryGb?: number;
  readonly memoryLimitGb?: number;
  readonly gpus?: number;
}

/** One choice on the page that starts a notebook. */
export interface Profile extends NotebookSize {
  readonly displayName: string;
  readonly description?: string;
  readonly image?: string;
  readonly isDefault: boolean;
  readonly placement: Placement;
  readonly environment: Readonly<Record<string, string>>;
}

export interface HttpsSettings {
  /** `letsencrypt`, `secret`, `offload` (somebody before the proxy does it) or `off`. */
  readonly type: string;
  readonly email?: string;
  readonly secretName?: string;
}

export interface StorageSettings {
  /** `dynamic` (a claim for each user), `static` (folders in one claim) or `none`. */
  readonly type: string;
  readonly sizeGb: number;
  readonly storageClass?: string;
  readonly claim?: string;
  readonly homeFolder: string;
}

/** When idle notebooks are stopped. */
export interface CullingSettings {
  readonly idleMinutes: number;
  readonly everyMinutes: number;
  /** 0: however old. */
  readonly maxAgeHours: number;
}

/** All that a JupyterHub is made from, checked and complete. */
export interface JupyterHubSettings {
  readonly namespace: string;
  /** Name of the Helm release, with which those of its objects begin that are the whole cluster's. */
  readonly releaseName: string;
  /** What its namespace is protected by, where that is said; the chart includes NetworkPolicies. */
  readonly protection: NamespaceConfig;
  /** Public host name; absent if it is reached by port-forward only. */
  readonly host?: string;
  readonly https: HttpsSettings;
  /** Type and annotations of the public service. */
  readonly service: { readonly type: string; readonly annotations: Readonly<Record<string, string>> };
  /** Absent: the dummy authenticator, which lets anybody in. */
  readonly auth0?: Auth0Settings;
  /** Names of users, as the authenticator reports them: e-mail addresses with Auth0. */
  readonly allowedUsers: readonly string[];
  readonly adminUsers: readonly string[];
  readonly allowAll: boolean;
  /** Image of notebooks with its tag. */
  readonly image: string;
  readonly size: NotebookSize;
  readonly placement: Placement;
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly storage: StorageSettings;
  /** Absent: idle notebooks continue. */
  readonly culling?: CullingSettings;
  readonly prePull: { readonly onUpgrade: boolean; readonly always: boolean };
  /** What keeps notebooks from the cloud's metadata server: `iptables`, `networkPolicy` or `nothing`. */
  readonly metadataBlock: string;
  /** Name of the notebooks' service account. */
  readonly serviceAccount: string;
  /** Whether another user makes that account. */
  readonly serviceAccountThere: boolean;
  /** Entry of the config's data access whose role that account is annotated with. */
  readonly roleEntry?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** CIDRs that notebooks reach on port 443 besides the internet: interface endpoints of S3 and STS. */
  readonly egress: readonly string[];
  /** Values of the chart that say where its own images come from; empty: from where the chart says. */
  readonly chartImages: Readonly<Record<string, unknown>>;
  /** Whether notebooks are given a Ray cluster of the platform. */
  readonly ray: boolean;
  /** Its name. Default: the first by name. */
  readonly rayCluster?: string;
  /** Whether the disks of users and the hub's database outlive the component. */
  readonly keepVolumes: boolean;
  readonly startTimeoutSeconds: number;
  readonly timeoutSeconds: number;
  /** The user's own values of the upstream chart; merged last. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether those values may hold a secret. */
  readonly valuesAreSecret: boolean;
}

import type { DatabaseAccess } from "./databaseAccess";
import type { ClickHouseProvisioner, WantedClickHouse } from "./clickHouseSettings";
import type { ClusterRequest } from "../request/cluster/shape";
import type { KymaRequest } from "../request/kyma/schema";
import type { DirectorSettings, KymaSettings } from "./kymaSettings";
import type { Registration } from "../request/registration";
import type { HelperFile, Template } from "./template";

/**
 * Outputs of a platform stack that a runtime stack reads. They are complete, so that a runtime stack needs no file of
 * the platform's checkout.
 */

/** Size of a slot. */
export interface SlotSize {
  /** CPUs. Default: 1. */
  readonly cpu: number;
  /** Memory in GB. Default: 4. */
  readonly memoryGb: number;
  /** Disk in GiB. Default: 40. */
  readonly diskGb: number;
}

/** A provisioner of type static: a pool of existing runtimes. */
export interface StaticProvisioner {
  readonly type: "static";
  /** Pool in the ledger: `<platform stack>/<provisioner>`. */
  readonly pool: string;
}

/** A provisioner of type kubernetes: runtimes as objects in a namespace. */
export interface KubernetesProvisioner {
  readonly type: "kubernetes";
  /** Kubeconfig (YAML text). Not set for the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of the cluster, or `in-cluster`. Identifies the cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** URL of a runtime. Each `*` stands for the provision id. */
  readonly host: string;
  /** Image without a tag. */
  readonly image: string;
  readonly timeoutSeconds: number;
  readonly dataDir: string;
  /** Audience (JWT). Each `*` stands for the provision id. Default: the host. */
  readonly audienceUrl?: string;
  /** Path to request on the host, such as `/v1/ping`, or `off`. */
  readonly ping: string;
  /** In the order of application. Empty: the built-in templates. */
  readonly templates: readonly Template[];
  /** Files with definitions for the templates. Default: none. */
  readonly helpers?: readonly HelperFile[];
  /** Overrides the templates' retention of claims on destroy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
}

/** A provisioner of type gardener: a cluster for each deployment. */
export interface GardenerProvisioner {
  readonly type: "gardener";
  /** Kubeconfig of the Gardener project (YAML text). Not set for the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of Gardener. */
  readonly cluster: string;
  readonly project: string;
  /** Namespace of the project. */
  readonly namespace: string;
  /** CredentialsBindings by cloud. Not set by older platforms. */
  readonly credentialsBindings?: Readonly<Partial<Record<string, string>>> | undefined;
  /** SecretBindings by cloud. */
  readonly secretBindings: Readonly<Partial<Record<string, string>>>;
  /** CloudProfiles by cloud, which override the default ones. */
  readonly cloudProfiles: Readonly<Partial<Record<string, string>>>;
  /** Default values of clusters. */
  readonly defaults: ClusterRequest;
  /** Maintenance windows of production clusters, by region. */
  readonly maintenanceWindows: Readonly<Record<string, { readonly begin: string; readonly end: string }>>;
  readonly auditLogs: {
    readonly policyConfigMap?: string | undefined;
    /** By provider of the Seed, then by region. */
    readonly tenants?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> | undefined;
  };
  /** Groups with permissions in every cluster. Not set by older platforms. */
  readonly operatorGroups?: { readonly view?: string | undefined; readonly admin?: string | undefined } | undefined;
  /** Kyma settings, for deployments that request it. */
  readonly kyma?: KymaSettings | undefined;
  /** The Director in which runtimes are registered. */
  readonly director?: DirectorSettings | undefined;
  /** Timeouts in seconds, by stage. */
  readonly timeouts: Readonly<Partial<Record<string, number>>>;
  readonly allowForceDeletion: boolean;
}

export type Provisioner = StaticProvisioner | KubernetesProvisioner | GardenerProvisioner;

/** What a runtime stack reads from its platform stack. */
export interface Platform {
  readonly provisioners: Readonly<Record<string, Provisioner>>;
  readonly defaultProvisioner: string;
  /** Default provisioners by environment, such as `dev: shared`. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL of the ledger. Not set if no provisioner is static. */
  readonly ledgerUrl?: string;
  /** Revision of each provisioner. A runtime with another revision is outdated. Not set by older platforms. */
  readonly provisionerRevisions?: Readonly<Record<string, string>>;
  /** ClickHouse provisioners by name. Default: none. */
  readonly clickhouse?: Readonly<Record<string, ClickHouseProvisioner>>;
  /** Revision of each ClickHouse provisioner. Not set by older platforms. */
  readonly clickhouseRevisions?: Readonly<Record<string, string>>;
}

/** What a runtime stack reads of a Kubernetes provisioner, except for the cluster. */
export type KubernetesSettings = Omit<KubernetesProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

/** What a runtime stack reads of a Gardener provisioner, except for the access to Gardener. */
export type GardenerSettings = Omit<GardenerProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

/** A user's request for a runtime. */
export interface Deployment {
  /** 1 to 100 of `A-Z a-z 0-9 . _ -`. Default: the stack's name. */
  readonly id: string;
  /** At least 1. */
  readonly slots: number;
  /** Image tag of the runtime. */
  readonly version: string;
  /** Default: prod. */
  readonly environment: string;
  /** Disk in GiB. Default: derived from the slots. */
  readonly diskGb?: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** Provisioner by name. Default: the environment's, or else the platform's default. */
  readonly provisioner?: string;
  readonly state: "running" | "hibernated";
  /** Whether everything that would delete its data is refused. Default: false. */
  readonly protected?: boolean;
  /** Its cluster, for a provisioner of type gardener. */
  readonly cluster?: ClusterRequest;
  /** Kyma in that cluster. */
  readonly kyma?: KymaRequest;
  /** Registration of that cluster in a Director. */
  readonly runtime?: Registration;
  /** Additional resources. */
  readonly resources?: { readonly clickhouse?: WantedClickHouse };
}

/** A cluster from Gardener, in the outputs of a runtime stack. */
interface ClusterOutputs {
  readonly name: string;
  /** Namespace of the Gardener project. */
  readonly namespace: string;
  readonly domain: string;
  readonly kubernetesVersion: string;
  /** URL of its API server. */
  readonly apiServer: string;
  readonly hibernated: boolean;
}

/** Outputs of a runtime stack, equal for all types of provisioners. */
export interface RuntimeOutputs {
  readonly host: string;
  readonly audienceUrl: string;
  readonly cpu: number;
  /** In GB. */
  readonly memoryGb: number;
  /** Actual size of the disk in bytes. */
  readonly storageBytes: number;
  readonly dataDir: string;
  readonly provisioner: string;
  readonly state: "running" | "hibernated";
  /** The deployment's cluster. Not set if it has none of its own. */
  readonly cluster?: ClusterOutputs;
  /** State of the agent's connection to the Director: `Pending` or `Connected`. Not set without a Director. */
  readonly agentConnection?: string;
  /** Seed of that cluster's control plane. Not set until Gardener has chosen one. */
  readonly seed?: string;
  /** The deployment's ClickHouse database; a secret. Not set if it requests none. */
  readonly clickhouse?: DatabaseAccess;
}

import type { DatabaseAccess } from "../../clickhouse/access";
import type { ClickHouseProvisioner, WantedClickHouse } from "../../clickhouse/settings";
import type { ClusterRequest } from "../request/cluster/shape";
import type { KymaRequest } from "../request/kyma/schema";
import type { DirectorSettings, KymaSettings } from "../types/gardener/kyma/settings";
import type { Registration } from "../request/registration";
import type { HelperFile, Template } from "./template";

/**
 * What a platform stack exports and a runtime stack reads through a StackReference.
 * Everything a runtime needs is in here, so that a runtime stack depends on no file of the platform's checkout.
 */

/** Size of one slot. */
export interface SlotSize {
  /** CPUs. Default: 1. */
  readonly cpu: number;
  /** Memory in GB. Default: 4. */
  readonly memoryGb: number;
  /** Disk in GiB. Default: 40. */
  readonly diskGb: number;
}

export interface StaticProvisioner {
  readonly type: "static";
  /** Pool in the ledger: `<platform stack>/<provisioner>`. */
  readonly pool: string;
}

export interface KubernetesProvisioner {
  readonly type: "kubernetes";
  /** Kubeconfig text; unset for the cluster the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of the cluster, or `in-cluster`: its identity. */
  readonly cluster: string;
  readonly namespace: string;
  /** URL of a runtime; every `*` becomes the provision id. */
  readonly host: string;
  /** Image without tag. */
  readonly image: string;
  readonly timeoutSeconds: number;
  readonly dataDir: string;
  /** Audience (JWT), every `*` becomes the provision id. Default: the host. */
  readonly audienceUrl?: string;
  /** Path to ask on the host, such as `/v1/ping`, or `off`. */
  readonly ping: string;
  /** In the order in which they are applied; empty for the built-in ones. */
  readonly templates: readonly Template[];
  /** What the templates may call besides each other's definitions. Default: none. */
  readonly helpers?: readonly HelperFile[];
  /** Overrides what the templates say about claims on destroy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
}

export interface GardenerProvisioner {
  readonly type: "gardener";
  /** Kubeconfig of the Gardener project; absent for the cluster the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of Gardener. */
  readonly cluster: string;
  readonly project: string;
  /** Namespace of the project. */
  readonly namespace: string;
  /** SecretBindings by cloud. */
  readonly secretBindings: Readonly<Partial<Record<string, string>>>;
  /** CloudProfiles by cloud, in place of the usual ones. */
  readonly cloudProfiles: Readonly<Partial<Record<string, string>>>;
  /** Fields of clusters that deployments do not set. */
  readonly defaults: ClusterRequest;
  /** Maintenance windows of clusters in production, by region. */
  readonly maintenanceWindows: Readonly<Record<string, { readonly begin: string; readonly end: string }>>;
  readonly auditLogs: {
    readonly policyConfigMap?: string | undefined;
    /** By provider of the Seed, then by region. */
    readonly tenants?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> | undefined;
  };
  /** Groups with rights in every cluster. Absent in older platforms. */
  readonly operatorGroups?: { readonly view?: string | undefined; readonly admin?: string | undefined } | undefined;
  /** Kyma, for deployments that ask for it. */
  readonly kyma?: KymaSettings | undefined;
  /** Director that runtimes are registered in. */
  readonly director?: DirectorSettings | undefined;
  /** Seconds by stage. */
  readonly timeouts: Readonly<Partial<Record<string, number>>>;
  readonly allowForceDeletion: boolean;
}

export type Provisioner = StaticProvisioner | KubernetesProvisioner | GardenerProvisioner;

/** All that a runtime stack reads from its platform stack. */
export interface Platform {
  readonly provisioners: Readonly<Record<string, Provisioner>>;
  readonly defaultProvisioner: string;
  /** Environment to default provisioner, such as `dev: shared`. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL of the ledger. Absent if no provisioner is static. */
  readonly ledgerUrl?: string;
  /** Revision of each provisioner; a runtime that was made by another one is outdated. Absent in older platforms. */
  readonly provisionerRevisions?: Readonly<Record<string, string>>;
  /** How deployments get a ClickHouse database, by name. Default: not at all. */
  readonly clickhouse?: Readonly<Record<string, ClickHouseProvisioner>>;
  /** Revision of each of those. Absent in older platforms. */
  readonly clickhouseRevisions?: Readonly<Record<string, string>>;
}

/** What a user asks for. */
export interface Deployment {
  /** 1 to 100 of `A-Z a-z 0-9 . _ -`. Default: the stack's name. */
  readonly id: string;
  /** 1 or more. */
  readonly slots: number;
  /** Image tag of the runtime. */
  readonly version: string;
  /** Default: prod. */
  readonly environment: string;
  /** Disk in GiB instead of what the slots give. */
  readonly diskGb?: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** Provisioner by name. Default: the environment's, else the default one. */
  readonly provisioner?: string;
  readonly state: "running" | "hibernated";
  /** Its cluster, from a provisioner of type gardener. */
  readonly cluster?: ClusterRequest;
  /** Kyma in that cluster. */
  readonly kyma?: KymaRequest;
  /** What that cluster is registered with in a Director. */
  readonly runtime?: Registration;
  /** What it gets besides its runtime. */
  readonly resources?: { readonly clickhouse?: WantedClickHouse };
}

/** A cluster of Gardener's, as the outputs of a runtime stack say it. */
export interface ClusterOutputs {
  readonly name: string;
  /** Namespace of the Gardener project. */
  readonly namespace: string;
  readonly domain: string;
  readonly kubernetesVersion: string;
  /** URL of its API server. */
  readonly apiServer: string;
  readonly hibernated: boolean;
}

/** Outputs of a runtime stack, the same for every type of provisioner. */
export interface RuntimeOutputs {
  readonly host: string;
  readonly audienceUrl: string;
  readonly cpu: number;
  /** In GB. */
  readonly memoryGb: number;
  /** What the disk really has, in bytes. */
  readonly storageBytes: number;
  readonly dataDir: string;
  readonly provisioner: string;
  readonly state: "running" | "hibernated";
  /** The deployment's cluster. Absent if it has none of its own. */
  readonly cluster?: ClusterOutputs;
  /** Connection of its agent to the Director: `Pending` or `Connected`. Absent without a Director. */
  readonly agentConnection?: string;
  /** Seed of that cluster's control plane; absent before Gardener has chosen one. */
  readonly seed?: string;
  /** The deployment's ClickHouse database; a secret. Absent if it asks for none. */
  readonly clickhouse?: DatabaseAccess;
}

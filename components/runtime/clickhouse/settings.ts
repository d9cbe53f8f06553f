import type { SlotSize } from "../size";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { HelperFile, Template } from "../template";

/** Databases on a shared ClickHouse server or cluster: each deployment gets a database and a user. */
export interface StaticClickHouse {
  readonly type: "static";
  /** URL of the HTTP interface, with a user who may create databases and users; a secret. */
  readonly url: string;
  /** URL without a user, by which runtimes reach it. Default: the host of `url`. */
  readonly runtimeUrl?: string;
  /** URL without a user, to which runtimes write. Default: none; they read and write at one address. */
  readonly runtimeWriterUrl?: string;
  /** ClickHouse cluster on whose servers everything is created. */
  readonly cluster?: string;
  /** Prefix of the names of databases and users. */
  readonly prefix: string;
  /** External sources that users may read from. */
  readonly sources: readonly string[];
  /** A new number gives every deployment a new password at its next update. */
  readonly passwordVersion: number;
  readonly databaseWhenDeleted: "Retain" | "Delete";
  /** Whether it is the default for deployments that name none. */
  readonly default: boolean;
}

/** Dedicated ClickHouse clusters: each deployment gets one in Kubernetes, from the user's templates. */
export interface TemplatedClickHouse {
  readonly type: "kubernetes";
  /** Kubeconfig (YAML text). Not set for the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** Image without a tag. `version` is its tag. */
  readonly image: string;
  readonly version: string;
  readonly timeoutSeconds: number;
  /** URL by which runtimes reach it; each `*` stands for the provision id. Default: its Service. */
  readonly runtimeUrl?: string;
  /** In the order of application. */
  readonly templates: readonly Template[];
  readonly helpers?: readonly HelperFile[];
  /** Overrides the templates' retention of claims on destroy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
  /** Prefix of the names of databases and users. */
  readonly prefix: string;
  /** A new number gives every deployment a new password at its next update. */
  readonly passwordVersion: number;
  /** Whether it is the default for deployments that name none. */
  readonly default: boolean;
}

export type ClickHouseProvisioner = StaticClickHouse | TemplatedClickHouse;

/** As in the platform's config: access to its cluster, if it has its own, and all other settings. */
export interface TemplatedConfig {
  readonly type: "kubernetes";
  /** Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  readonly settings: Omit<TemplatedClickHouse, "type" | "kubeconfig" | "context" | "cluster">;
}

export type ClickHouseConfig = StaticClickHouse | TemplatedConfig;

/** External sources that a ClickHouse user can be allowed to read from. */
export const SOURCES = ["URL", "REMOTE", "MONGO", "MYSQL", "POSTGRES", "S3", "AZURE"] as const;

/** What a platform offers for databases. */
export interface DatabasePlatform {
  readonly slot: SlotSize;
  /** ClickHouse provisioners by name. Default: none. */
  readonly clickhouse?: Readonly<Record<string, ClickHouseProvisioner>>;
  /** Revision of each ClickHouse provisioner. Not set by older platforms. */
  readonly clickhouseRevisions?: Readonly<Record<string, string>>;
}

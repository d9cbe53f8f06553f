import type { ClusterAccess } from "../provisioners/config/kubeconfig";
import type { HelperFile, Template } from "../runtime/platform/template";

/** How deployments get a ClickHouse database: each a database and a user of its own on one server, or one cluster of servers. */
export interface StaticClickHouse {
  readonly type: "static";
  /** URL of the HTTP interface, with a user who may make databases and users; a secret. */
  readonly url: string;
  /** URL without user by which runtimes reach it, where that is another one. */
  readonly runtimeUrl?: string;
  /** Cluster of several servers on which everything is made. */
  readonly cluster?: string;
  /** Beginning of the names of databases and users. */
  readonly prefix: string;
  /** Rights to read from elsewhere. */
  readonly sources: readonly string[];
  /** Another number gives every deployment another password at its next update. */
  readonly passwordVersion: number;
  readonly databaseWhenDeleted: "Retain" | "Delete";
  /** Whether deployments that name none get this one. */
  readonly default: boolean;
}

/** How deployments get a ClickHouse cluster: each one of its own in Kubernetes, by the user's templates. */
export interface TemplatedClickHouse {
  readonly type: "kubernetes";
  /** Kubeconfig text; unset for the cluster the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** Image without tag, and its tag. */
  readonly image: string;
  readonly version: string;
  readonly timeoutSeconds: number;
  /** URL by which runtimes reach it, every `*` the provision id. Default: its Service. */
  readonly runtimeUrl?: string;
  /** In the order in which they are applied. */
  readonly templates: readonly Template[];
  readonly helpers?: readonly HelperFile[];
  /** Overrides what the templates say about claims on destroy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
  /** Beginning of the names of databases and users. */
  readonly prefix: string;
  /** Another number gives every deployment another password at its next update. */
  readonly passwordVersion: number;
  /** Whether deployments that name none get this one. */
  readonly default: boolean;
}

export type ClickHouseProvisioner = StaticClickHouse | TemplatedClickHouse;

/** As the platform's config has it: the way into its cluster, where it has one of its own, and all else. */
export interface TemplatedConfig {
  readonly type: "kubernetes";
  /** Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  readonly settings: Omit<TemplatedClickHouse, "type" | "kubeconfig" | "context" | "cluster">;
}

export type ClickHouseConfig = StaticClickHouse | TemplatedConfig;

/** What may be read from elsewhere. */
export const SOURCES = ["URL", "REMOTE", "MONGO", "MYSQL", "POSTGRES", "S3", "AZURE"] as const;

/** What a deployment asks for. */
export interface WantedClickHouse {
  /** By name. Default: the one that it has its database with, else the platform's default one. */
  readonly provisioner?: string;
  /** Another number gives this deployment another password. Default: 1. */
  readonly passwordVersion?: number;
}

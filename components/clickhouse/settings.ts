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

export type ClickHouseProvisioner = StaticClickHouse;

/** What may be read from elsewhere. */
export const SOURCES = ["URL", "REMOTE", "MONGO", "MYSQL", "POSTGRES", "S3", "AZURE"] as const;

/** What a deployment asks for. */
export interface WantedClickHouse {
  /** By name. Default: the one that it has its database with, else the platform's default one. */
  readonly provisioner?: string;
  /** Another number gives this deployment another password. Default: 1. */
  readonly passwordVersion?: number;
}

import * as z from "zod";
import type { SlotSize } from "../size";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import { clusterFields, templateFields } from "../template";

/** Of every provisioner. */
const common = {
  /** Prefix of the names of databases and users. */
  prefix: z.string(),
  /** A new number gives every deployment a new password at its next update. */
  passwordVersion: z.number(),
  /** Whether it is the default for deployments that name none. */
  default: z.boolean(),
};

const staticClickHouse = z.object({
  type: z.literal("static"),
  /** URL of the HTTP interface, with a user who may create databases and users; a secret. */
  url: z.string(),
  /** URL without a user, by which runtimes reach it. Default: the host of `url`. */
  runtimeUrl: z.string().optional(),
  /** URL without a user, to which runtimes write. Default: none; they read and write at one address. */
  runtimeWriterUrl: z.string().optional(),
  /** ClickHouse cluster on whose servers everything is created. */
  cluster: z.string().optional(),
  /** External sources that users may read from. */
  sources: z.array(z.string()).readonly(),
  databaseWhenDeleted: z.enum(["Retain", "Delete"]),
  ...common,
});

const templatedClickHouse = z.object({
  type: z.literal("kubernetes"),
  ...clusterFields,
  namespace: z.string(),
  /** Image without a tag. `version` is its tag. */
  image: z.string(),
  version: z.string(),
  timeoutSeconds: z.number(),
  /** URL by which runtimes reach it; each `*` stands for the provision id. Default: its Service. */
  runtimeUrl: z.string().optional(),
  ...templateFields,
  ...common,
});

/** Databases on a shared ClickHouse server or cluster: each deployment gets a database and a user. */
export type StaticClickHouse = Readonly<z.output<typeof staticClickHouse>>;
/** Dedicated ClickHouse clusters: each deployment gets one in Kubernetes, from the user's templates. */
export type TemplatedClickHouse = Readonly<z.output<typeof templatedClickHouse>>;
export type ClickHouseProvisioner = StaticClickHouse | TemplatedClickHouse;

/** A ClickHouse provisioner in the outputs of a platform. */
export const clickHouseSpec = z.discriminatedUnion("type", [staticClickHouse, templatedClickHouse]);

/** As in the platform's config: access to its cluster, if it has its own, and all other settings. */
export interface TemplatedConfig {
  readonly type: "kubernetes";
  /** Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  readonly settings: Omit<TemplatedClickHouse, "type" | keyof typeof clusterFields>;
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

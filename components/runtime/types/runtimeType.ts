import type * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../clickhouse/adopted";
import type { DatabaseAccess } from "../databaseAccess";
import type { ClickHousePlan } from "../clickhouse/plan";
import type { StateResources } from "../../resources/ownState";
import type { Present } from "../record/present";

/** Options for creating a runtime, in addition to its plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Required for a static runtime. */
  readonly ledgerUrl?: string;
  /**
   * Whether the runtime may move to another host of its pool (to grow, or off a drained host), namespace or cluster.
   */
  readonly allowMove: boolean;
  /** The runtime before this run. */
  readonly present?: Present<unknown>;
  /** Platform stack. */
  readonly platform: string;
  /** Command that runs the update, for the record. */
  readonly command: string;
  /**
   * `cluster`: update only a dedicated cluster, without its content and without waiting for it. Default: everything.
   */
  readonly only?: "cluster";
  /** Operation of the service that runs the update. */
  readonly operation?: string;
  /** Settings that come from the service, for the record. Default: none. */
  readonly fromService?: readonly string[];
  /** The stack's resources before this run. Default: none. */
  readonly state?: StateResources;
  /** Owner id of existing objects to take over. */
  readonly adopt?: string;
  /** Kept disk that a new runtime uses. Default: a new disk. */
  readonly disk?: string;
  /** The component of the package that the runtime belongs to, and what else it depends on. Default: none. */
  readonly parent?: pulumi.Resource | undefined;
  readonly dependsOn?: readonly pulumi.Resource[] | undefined;
  /** Whether the deployment is a secret in the stack config. */
  readonly secretDeployment: boolean;
  /** Plan of the deployment's ClickHouse database. Default: none. */
  readonly clickhouse?: ClickHousePlan;
  /** Existing objects of that database to take over. Default: none. */
  readonly adoptedDatabase?: AdoptedDatabase;
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

/** Outputs that may not be known yet. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** Outputs that depend on the type. */
export type OwnOutputs = Pick<RuntimeStackOutputs, "host" | "audienceUrl" | "dataDir"> & Partial<RuntimeStackOutputs>;

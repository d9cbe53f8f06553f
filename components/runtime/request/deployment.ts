import type { ClusterRequest } from "./cluster/shape";
import type { KymaRequest } from "./kyma/schema";
import type { Registration } from "./registration";

/** A deployment's request for a database. */
export interface WantedClickHouse {
  /** Provisioner by name. Default: the current one, or else the platform's default. */
  readonly provisioner?: string;
  /** A new number gives this deployment a new password. Default: 1. */
  readonly passwordVersion?: number;
}

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

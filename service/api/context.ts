import type DataLoader from "dataloader";
import type { DeploymentRow, DriftRow, OperationRow, StageRow } from "../database/tables";
import type { HealthRow } from "../database/watchTables";
import type { ClusterDefaults } from "./runtimes/clusterDefaults";
import type { Shoots } from "../gardener/shoots";
import type { CallerOfAny } from "./auth/identity";
import type { Backend } from "./backend";

/** What belongs to one request. */
export interface ApiContext {
  readonly backend: Backend;
  readonly loaders: Loaders;
  /** Who calls; throws if the request has no token that is right. */
  caller(): Promise<CallerOfAny>;
  /** The same in the tenant that the header names, which the original's API needs; the header says it all where it is trusted. */
  tenantCaller(): Promise<CallerOfAny>;
  /** Header `sub-account`. */
  readonly subAccount?: string;
  readonly runtimes: RuntimeSettings;
  readonly requestId: string;
  readonly log: Log;
  readonly defaultPlatform: string;
  /** Ends with the request. */
  readonly signal: AbortSignal;
}

/** What the original's API stands on besides. */
export interface RuntimeSettings {
  /** Provisioner of new runtimes. Default: the only one of type gardener that the platform has. */
  readonly provisioner?: string;
  /** What new clusters have besides. */
  readonly defaults?: ClusterDefaults;
  /** What Gardener says of clusters. Default: nobody knows. */
  readonly shoots?: Pick<Shoots, "soon" | "kubeconfig" | "issue">;
  /** Whether requests need no token: who is in front of the service has identified them, and set the header tenant. */
  readonly trustsTenantHeader?: boolean;
}

/** As much of pino as the API needs. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What several fields of one answer need is read once. */
export interface Loaders {
  readonly deployment: DataLoader<string, DeploymentRow | undefined>;
  readonly newestOperation: DataLoader<string, OperationRow | undefined>;
  readonly stages: DataLoader<string, readonly StageRow[]>;
  readonly health: DataLoader<string, HealthRow | undefined>;
  readonly drift: DataLoader<string, DriftRow | undefined>;
}

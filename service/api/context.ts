import type DataLoader from "dataloader";
import type { CurrentRevisions } from "../../engine/runtime/outdated";
import type { DeploymentRow, DriftRow, OperationRow, StageRow } from "../database/tables";
import type { Page } from "../database/queries/page";
import type { HealthRow } from "../database/watchTables";
import type { LifetimeView } from "../lifetimes/rules";
import type { Shoots } from "../gardener/shoots";
import type { CallerOfAny, TenantTrust } from "./auth/identity";
import type { Log } from "../log";
import type { Backend } from "./backend";

/** Context of one request. */
export interface ApiContext {
  readonly backend: Backend;
  readonly loaders: Loaders;
  /** Returns the caller. Throws if the request has no valid token. */
  caller(): CallerOfAny;
  /** Returns the caller for the tenant in the header, for the runtime API. A trusted header needs no token. */
  tenantCaller(): CallerOfAny;
  /** Value of the header `sub-account`. */
  readonly subAccount?: string;
  readonly runtimes: RuntimeSettings;
  readonly requestId: string;
  readonly log: Log;
  readonly defaultPlatform: string;
  /** Aborted when the request ends. */
  readonly signal: AbortSignal;
}

/** The cluster or Kyma as stored in a deployment, unchecked. The deployment's schema checks them. */
export type Stored = Readonly<Record<string, unknown>>;

/** Settings of new clusters from the service's environment. */
export interface ClusterDefaults {
  /** Defaults for fields that a request does not set. */
  readonly cluster?: Stored;
  /** Defaults for fields of `awsConfig`, if a request has this block. */
  readonly awsConfig?: Stored;
  /** Values that override the request. */
  readonly forced?: Stored;
}

/** Settings of the runtime API. */
export interface RuntimeSettings extends TenantTrust {
  /** Provisioner of new runtimes. Default: the platform's only provisioner of type gardener. */
  readonly provisioner?: string;
  /** Defaults for new clusters. */
  readonly defaults?: ClusterDefaults;
  /** Reads clusters from Gardener. Default: their status is unknown. */
  readonly shoots?: Pick<Shoots, "soon" | "kubeconfig" | "issue">;
}

/** Batches and caches reads that several fields of one response need. */
export interface Loaders {
  readonly deployment: DataLoader<string, DeploymentRow | undefined>;
  /** First page of the operations of a deployment, by the number of them. */
  readonly operations: DataLoader<{ readonly deployment: string; readonly first?: number }, Page<OperationRow>, string>;
  readonly newestOperation: DataLoader<string, OperationRow | undefined>;
  readonly stages: DataLoader<string, readonly StageRow[]>;
  readonly health: DataLoader<string, HealthRow | undefined>;
  readonly drift: DataLoader<string, DriftRow | undefined>;
  /** By platform. */
  readonly revisions: DataLoader<string, CurrentRevisions | undefined>;
  readonly lifetime: DataLoader<string, LifetimeView | undefined>;
}

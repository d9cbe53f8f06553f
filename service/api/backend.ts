import type { RuntimeContents } from "../../engine/runtime/contents";
import type { CurrentRevisions } from "../../engine/runtime/outdated";
import type { Audited } from "../operations/audit";
import type { Asking, OperationInput, Caller } from "../operations/input";
import type { DiskFilter, DiskPage } from "../disks/owned";
import type { AdoptOptions, Orphan } from "../orphans/orphans";
import type { RolloutInput } from "../rollouts/rollouts";
import type {
  DriftRow,
  RolloutItemRow,
  RolloutRow,
  AuditRow,
  DeploymentRow,
  EventRow,
  OperationRow,
  KeptDiskRecord,
  StageRow,
} from "../database/tables";
import type { BundleRow, HealthRow, NoticeRow } from "../database/watchTables";
import type { AuditFilter } from "../database/queries/audit";
import type { BundleFilter } from "../database/queries/bundles";
import type { ClusterName } from "../database/queries/clusterNames";
import type { DeploymentPageArgs } from "../database/queries/deployments";
import type { LifetimeView, LimitsChange } from "../lifetimes/rules";
import type { NoticeFilter } from "../watch/notices";
import type { ChangesFilter } from "../database/queries/operationChanges";
import type { OperationFilter } from "../database/queries/operations";
import type { Page, PageArgs } from "../database/queries/page";
import type { ProvisionerCapacity } from "../capacity/capacity";
import type { Plan } from "../operations/planner";

export type { Plan, ProvisionerCapacity };

/** What the API needs from the service. Tests replace it; the real one is in service/backend.ts. */
export interface Backend {
  readonly changes: Changes;
  readonly fleet: Fleet;
  readonly reads: Reads;
  /** Records in the audit trail that the caller's role did not permit a change. */
  refused(caller: Caller, action: string, target: string): Promise<void>;
  /** Records in the audit trail a grant that no operation makes, such as a kubeconfig. */
  granted(caller: Caller, audited: Audited): Promise<void>;
}

/** Every change, and its plan. A rejected change throws an OperationError. */
export interface Changes {
  request(asked: OperationInput, caller: Caller): Promise<OperationRow>;
  plan(asked: OperationInput, caller: Caller): Promise<Plan>;
  cancel(operation: string, caller: Caller, idempotencyKey?: string): Promise<OperationRow>;
  retry(operation: string, caller: Caller, idempotencyKey?: string): Promise<OperationRow>;
  /** Restores the Kyma configuration recorded before the last upgrade. Does not touch the cluster. */
  rollBackRecord(deployment: string, caller: Caller): Promise<DeploymentRow>;
  protect(deployment: string, isProtected: boolean, caller: Caller, more: Asking): Promise<DeploymentRow>;
  /** Changes the limits of a deployment's lifetime. */
  setLifetime(deployment: string, change: LimitsChange, caller: Caller, more: Asking): Promise<DeploymentRow>;
  planLifetime(deployment: string, change: LimitsChange, caller: Caller, more: Asking): Promise<Plan>;
  /** Records that a deployment is in use. */
  touch(deployment: string, caller: Caller, idempotencyKey?: string): Promise<DeploymentRow>;
}

/** Requests about many deployments, bundles of platforms, kept disks or orphans. */
export interface Fleet {
  /** `everybody`: include the deployments of all tenants. */
  refresh(asked: RolloutInput, caller: Caller, everybody: boolean): Promise<RolloutRow>;
  cancel(rollout: string, caller: Caller, idempotencyKey?: string): Promise<RolloutRow>;
  rollouts(tenant: string | undefined, first: number): Promise<readonly RolloutRow[]>;
  rollout(tenant: string | undefined, id: string): Promise<RolloutRow | undefined>;
  items(rollout: string): Promise<readonly RolloutItemRow[]>;
  drift(deployments: readonly string[]): Promise<readonly DriftRow[]>;
  bundles(args: PageArgs<BundleFilter>): Promise<Page<BundleRow>>;
  keptDisks(args: PageArgs<DiskFilter>): Promise<DiskPage>;
  /** Without a tenant, disks of all tenants and those of unknown ones. */
  deleteKeptDisks(
    names: readonly string[],
    caller: Caller,
    tenant: string | undefined,
    more: Pick<Asking, "idempotencyKey" | "dryRun">,
  ): Promise<readonly KeptDiskRecord[]>;
  orphans(): Promise<{ readonly orphans: readonly Orphan[]; readonly unseen: readonly string[] }>;
  adopt(stack: string, caller: Caller, more?: AdoptOptions): Promise<DeploymentRow>;
  forget(deployment: string, caller: Caller, idempotencyKey?: string): Promise<DeploymentRow>;
}

/**
 * Read access. Without a tenant, the result covers all tenants. A resource of another tenant is undefined, as if it did
 * not exist.
 */
export interface Reads {
  deployment(tenant: string | undefined, id: string): Promise<DeploymentRow | undefined>;
  /** The deployment of any tenant that has a cluster. Must not be shown to another tenant. */
  deploymentOfCluster(cluster: ClusterName): Promise<DeploymentRow | undefined>;
  deployments(args: DeploymentPageArgs): Promise<Page<DeploymentRow>>;
  deploymentsById(ids: readonly string[]): Promise<readonly DeploymentRow[]>;
  operation(tenant: string | undefined, id: string): Promise<OperationRow | undefined>;
  operations(args: PageArgs<OperationFilter>): Promise<Page<OperationRow>>;
  /** The first page of operations of each deployment. The caller must have checked the tenant. */
  operationsOf(deployments: readonly string[], first?: number): Promise<ReadonlyMap<string, Page<OperationRow>>>;
  /** The newest operation of each deployment. */
  newest(deployments: readonly string[]): Promise<readonly OperationRow[]>;
  stages(operations: readonly string[]): Promise<readonly StageRow[]>;
  /**
   * Yields the recorded events of an operation after the given one, then each new event. Ends when the operation ends.
   */
  events(operation: string, after: string | undefined, signal: AbortSignal): AsyncIterable<EventRow>;
  /** Yields the operations that wait or run, then each one whenever it changes, until the signal. */
  changedOperations(filter: ChangesFilter, signal: AbortSignal): AsyncIterable<OperationRow>;
  audit(args: PageArgs<AuditFilter>): Promise<Page<AuditRow>>;
  health(deployments: readonly string[]): Promise<readonly HealthRow[]>;
  /** The lifetimes of deployments, by stack; undefined without a limit. */
  lifetimes(deployments: readonly string[]): Promise<ReadonlyMap<string, LifetimeView | undefined>>;
  /** The current revisions of a platform's provisioners; undefined if they can't be read soon. */
  revisions(platform: string): Promise<CurrentRevisions | undefined>;
  /** Undefined without a stack. Asks the state and the cluster, so at most for a few deployments. */
  contents(stack: string): Promise<RuntimeContents | undefined>;
  notices(args: PageArgs<NoticeFilter>): Promise<Page<NoticeRow>>;
  /** Provisioners of the platforms that deployments use, and of the default platform. */
  provisioners(): Promise<readonly ProvisionerCapacity[]>;
}

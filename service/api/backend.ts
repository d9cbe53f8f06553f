import type { Audited } from "../operations/audit";
import type { Asking, OperationInput, Caller } from "../operations/input";
import type { Orphan } from "../orphans";
import type { RolloutInput } from "../rollouts";
import type {
  DriftRow,
  RolloutItemRow,
  RolloutRow,
  AuditRow,
  DeploymentRow,
  EventRow,
  OperationRow,
  StageRow,
} from "../database/tables";
import type { HealthRow, NoticeRow } from "../database/watchTables";
import type { AuditFilter } from "../database/queries/audit";
import type { DeploymentFilter } from "../database/queries/deployments";
import type { NoticeFilter } from "../watch/notices";
import type { OperationFilter } from "../database/queries/operations";
import type { Page, PageArgs } from "../database/queries/page";
import type { ProvisionerCapacity } from "../capacity";
import type { Plan } from "../workers/planner";

export type { Plan, ProvisionerCapacity };

/** What the API needs from the service. The service's own backend is in service/backend.ts; tests use another one. */
export interface Backend {
  readonly changes: Changes;
  readonly fleet: Fleet;
  readonly reads: Reads;
  /** Notes in the audit trail that somebody's role was not enough for a change. */
  refused(caller: Caller, action: string, target: string): Promise<void>;
  /** Notes in the audit trail what somebody gets that no operation gives. */
  granted(caller: Caller, audited: Audited): Promise<void>;
}

/** Every change, and the plan of one. What is refused throws an OperationError. */
export interface Changes {
  request(asked: OperationInput, caller: Caller): Promise<OperationRow>;
  plan(asked: OperationInput, caller: Caller): Promise<Plan>;
  cancel(operation: string, caller: Caller, idempotencyKey?: string): Promise<OperationRow>;
  retry(operation: string, caller: Caller, idempotencyKey?: string): Promise<OperationRow>;
  /** Restores what is recorded of Kyma from before the last upgrade; does not touch the cluster. */
  rollBackRecord(deployment: string, caller: Caller): Promise<DeploymentRow>;
  protect(deployment: string, isProtected: boolean, caller: Caller, more: Asking): Promise<DeploymentRow>;
}

/** What is asked of many deployments at once, or of what has lost its deployment. */
export interface Fleet {
  /** `everybody`: deployments of all tenants. */
  refresh(asked: RolloutInput, caller: Caller, everybody: boolean): Promise<RolloutRow>;
  cancel(rollout: string, caller: Caller, idempotencyKey?: string): Promise<RolloutRow>;
  rollouts(tenant: string | undefined, first: number): Promise<readonly RolloutRow[]>;
  rollout(tenant: string | undefined, id: string): Promise<RolloutRow | undefined>;
  items(rollout: string): Promise<readonly RolloutItemRow[]>;
  drift(deployments: readonly string[]): Promise<readonly DriftRow[]>;
  orphans(): Promise<{ readonly orphans: readonly Orphan[]; readonly unseen: readonly string[] }>;
  adopt(stack: string, caller: Caller, idempotencyKey?: string): Promise<DeploymentRow>;
  forget(deployment: string, caller: Caller, idempotencyKey?: string): Promise<DeploymentRow>;
}

/** A tenant that is not given stands for all. What a tenant does not have is undefined, whether another one has it or not. */
export interface Reads {
  deployment(tenant: string | undefined, id: string): Promise<DeploymentRow | undefined>;
  deployments(args: PageArgs<DeploymentFilter>): Promise<Page<DeploymentRow>>;
  deploymentsById(ids: readonly string[]): Promise<readonly DeploymentRow[]>;
  operation(tenant: string | undefined, id: string): Promise<OperationRow | undefined>;
  operations(args: PageArgs<OperationFilter>): Promise<Page<OperationRow>>;
  /** The newest operation of each deployment. */
  newest(deployments: readonly string[]): Promise<readonly OperationRow[]>;
  stages(operations: readonly string[]): Promise<readonly StageRow[]>;
  /** Events of an operation after one, first those that were, then each as it comes; ends with the operation. */
  events(operation: string, after: string | undefined, signal: AbortSignal): AsyncIterable<EventRow>;
  audit(args: PageArgs<AuditFilter>): Promise<Page<AuditRow>>;
  health(deployments: readonly string[]): Promise<readonly HealthRow[]>;
  notices(args: PageArgs<NoticeFilter>): Promise<Page<NoticeRow>>;
  /** Of the platforms that deployments are on, and of the default one. */
  provisioners(): Promise<readonly ProvisionerCapacity[]>;
}

import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable, Updateable } from "kysely";
import type { EngineRecord } from "../../foundation/process/engines";
import type { UsedRevisions } from "../../engine/runtime/outdated";
import type { RuntimeChange, RuntimeConfig } from "../../engine/stack/change";
import type { OperationKind, OriginalOperationType } from "../kinds/kinds";
import type { RequestOf, Sealable } from "./sealing/requests";
import type { Sealed } from "./sealing/vault";
import type { WatchTables } from "./watchTables";
import type { PlannedChange } from "../../engine/update/planned";

/* The tables as the migrations create them, with columns in camel case. The migrations document their meaning. */

export type DesiredState = "running" | "hibernated" | "absent";
export type OperationState = "pending" | "in_progress" | "succeeded" | "failed" | "canceled" | "replaced";
export type EventKind = "state" | "stage" | "step" | "diagnostic" | "note";

export const ENDED: ReadonlySet<OperationState> = new Set(["succeeded", "failed", "canceled", "replaced"]);

/** Why an operation or a stage failed, as the API shows it. Contains no secret. */
export interface StoredError {
  readonly code: string;
  readonly reason: string;
  readonly component: string;
  readonly path?: string;
  readonly advice?: string;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
}

/** An operation of an earlier system, as that one reported it. */
export interface PastReport {
  /** A UUID. */
  readonly id: string;
  readonly operation: OriginalOperationType;
  /** Null if it reported none. */
  readonly lastError: { readonly errMessage: string; readonly reason: string; readonly component: string } | null;
}

export interface OperationResult {
  /** Number of resources by kind of change. */
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** A request: plain when read, its secrets sealed when written. */
type Request<T extends Sealable> = ColumnType<T, RequestOf<T>, RequestOf<T>>;

export interface DeploymentTable {
  /** Name of the stack. */
  id: string;
  /** Id in the API, unique per tenant. */
  name: string;
  tenant: string;
  desiredConfig: Request<RuntimeConfig>;
  revision: Generated<number>;
  desiredState: DesiredState;
  protected: Generated<boolean>;
  provisioner: string | null;
  outputs: Generated<Readonly<Record<string, unknown>>>;
  /** Of the provisioners that the runtime was last updated with. */
  revisions: Generated<UsedRevisions>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  deletedAt: Date | null;
  /** Since when the tenant has the stack. */
  ownedSince: Generated<Date>;
}

export interface OperationTable {
  id: string;
  deploymentId: string;
  tenant: string;
  kind: OperationKind;
  /** Default: true, for the version before this column. */
  isUse: Generated<boolean>;
  state: Generated<OperationState>;
  change: ColumnType<RuntimeChange, RequestOf<RuntimeChange> | undefined, RequestOf<RuntimeChange>>;
  refresh: Generated<boolean>;
  revision: number;
  previousConfig: ColumnType<RuntimeConfig | null, RequestOf<RuntimeConfig> | null, RequestOf<RuntimeConfig> | null>;
  stage: string | null;
  attempts: Generated<number>;
  error: StoredError | null;
  message: string;
  requestedBy: string;
  requestedAt: Generated<Date>;
  startedAt: Date | null;
  endedAt: Date | null;
  deadlineAt: Date | null;
  leaseOwner: string | null;
  leaseUntil: Date | null;
  leaseEpoch: Generated<number>;
  enginesUntil: Date | null;
  engines: Generated<readonly EngineRecord[]>;
  cancelRequestedAt: Date | null;
  retryOf: string | null;
  /** The later operation of the same caller that includes this request. */
  replacedBy: Generated<string | null>;
  /** Whether the request named the revision that it is based on. */
  guarded: Generated<boolean>;
  result: OperationResult | null;
  /** Null for operations of the service. */
  past: PastReport | null;
  /** Trace of the request, as W3C traceparent; null without tracing. */
  trace: Generated<string | null>;
}

export interface StageTable {
  operationId: string;
  number: number;
  name: string;
  state: OperationState;
  attempts: Generated<number>;
  startedAt: Date | null;
  endedAt: Date | null;
  error: StoredError | null;
}

export interface EventTable {
  /** A bigint, as text: it may exceed the safe integers of JavaScript. */
  id: Generated<string>;
  operationId: string;
  at: Generated<Date>;
  kind: EventKind;
  text: string;
  data: Readonly<Record<string, unknown>> | null;
}

export interface PreviewTable {
  /** A bigint, as text. */
  id: GeneratedAlways<string>;
  /** Name of the stack. */
  deploymentId: string;
  until: Date;
}

export interface AuditTable {
  id: Generated<string>;
  at: Generated<Date>;
  tenant: string;
  actor: string;
  address: string | null;
  action: string;
  target: string;
  outcome: string;
  details: Generated<Readonly<Record<string, unknown>>>;
}

export interface IdempotencyTable {
  tenant: string;
  key: string;
  digest: string;
  /** The result of the request: exactly one of these is set. */
  operationId: string | null;
  deploymentId: string | null;
  rolloutId: string | null;
  disks: DisksToDelete | null;
  refusal: StoredError | null;
  at: Generated<Date>;
}

/** A kept disk, as the API shows it. */
export interface KeptDiskRecord {
  readonly uid: string | null;
  /** `namespace/claim`. */
  readonly name: string;
  /** Id of its deployment in the API, or its stack if the service does not know the deployment. */
  readonly deployment: string;
  /** Null if the service does not know whose it is. */
  readonly tenant: string | null;
  readonly platform: string | null;
  readonly provisioner: string | null;
  readonly gib: number;
  /** RFC 3339. */
  readonly keptAt: string | null;
}

/** An object, because the driver would convert a plain list to a PostgreSQL array. */
export interface DisksToDelete {
  readonly disks: readonly KeptDiskRecord[];
}

export interface EncryptionKeyTable {
  id: string;
  sealed: Sealed;
  firstUsedAt: Generated<Date>;
}

export interface QuotaTable {
  tenant: string;
  deployments: number | null;
  slots: number | null;
}

interface DeliveryTable {
  state: Generated<"pending" | "delivered" | "failed">;
  attempts: Generated<number>;
  error: string | null;
  queuedAt: Generated<Date>;
  deliveredAt: Date | null;
}

export interface WebhookDeliveryTable extends DeliveryTable {
  operationId: string;
}

export interface NoticeDeliveryTable extends DeliveryTable {
  noticeId: string;
}

export interface DriftTable {
  deploymentId: string;
  checkedAt: Date;
  changes: PlannedChanges | null;
  error: string | null;
  repairOperationId: string | null;
}

/** An object, because the driver would convert a plain list to a PostgreSQL array. */
export interface PlannedChanges {
  readonly changes: readonly PlannedChange[];
}

export type RolloutState = "planning" | "planned" | "running" | "succeeded" | "failed" | "canceled";
export type RolloutItemState = "unchanged" | "changes" | "unknown" | "running" | "succeeded" | "failed" | "skipped";

export interface RolloutTable {
  id: string;
  platform: string;
  tenant: string | null;
  state: Generated<RolloutState>;
  waves: string | null;
  maxFailures: Generated<number>;
  dryRun: Generated<boolean>;
  message: string;
  requestedBy: string;
  requestedAt: Generated<Date>;
  endedAt: Date | null;
}

export interface RolloutItemTable {
  rolloutId: string;
  deploymentId: string;
  state: RolloutItemState;
  wave: number | null;
  changes: PlannedChanges | null;
  error: string | null;
  operationId: string | null;
}

/** A trigger keeps it: only the database writes it. */
export interface ClusterNameTable {
  platform: string;
  provisioner: string;
  name: string;
  deploymentId: string;
}

export interface Tables extends WatchTables {
  clusterName: ClusterNameTable;
  rollout: RolloutTable;
  rolloutItem: RolloutItemTable;
  webhookDelivery: WebhookDeliveryTable;
  noticeDelivery: NoticeDeliveryTable;
  drift: DriftTable;
  deployment: DeploymentTable;
  operation: OperationTable;
  stage: StageTable;
  event: EventTable;
  preview: PreviewTable;
  audit: AuditTable;
  idempotency: IdempotencyTable;
  quota: QuotaTable;
  encryptionKey: EncryptionKeyTable;
}

export type RolloutRow = Selectable<RolloutTable>;
export type RolloutItemRow = Selectable<RolloutItemTable>;
export type DeliveryUpdate = Updateable<DeliveryTable>;
export type DriftRow = Selectable<DriftTable>;
export type DeploymentRow = Selectable<DeploymentTable>;
export type OperationRow = Selectable<OperationTable>;
export type NewOperation = Insertable<OperationTable>;
export type StageRow = Selectable<StageTable>;
export type EventRow = Selectable<EventTable>;
export type AuditRow = Selectable<AuditTable>;

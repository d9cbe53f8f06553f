/* eslint-disable */
// Generated from the SDL in service/api by `npm run generate`; a test keeps it true.
import type {
  DeploymentRow,
  OperationRow,
  StageRow,
  EventRow,
  AuditRow,
  RolloutRow,
  RolloutItemRow,
  DriftRow,
  KeptDiskRecord,
} from "../database/tables";
import type { BundleRow } from "../database/watchTables";
import type { LifetimeView } from "../lifetimes/rules";
import type { Orphan as OrphanRow } from "../orphans/orphans";
import type { Plan as PlanRow, ProvisionerCapacity } from "./backend";
import type { ApiContext } from "./context";
import type { RuntimeContents as ContentsRow, SetCondition as ConditionRow } from "../../engine/runtime/contents";
import type { ConfigRow, NodeRow, OutcomeRow, RuntimeRow } from "./rows";
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from "graphql";
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string };
  String: { input: string; output: string };
  Boolean: { input: boolean; output: boolean };
  Int: { input: number; output: number };
  Float: { input: number; output: number };
  /** A point in time in the format of RFC 3339, in UTC. */
  DateTime: { input: Date; output: Date | string };
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown };
  /** An object of strings, such as `{"team": "data"}`. In a change, an empty string removes a key. */
  Annotations: { input: Readonly<Record<string, string>>; output: Readonly<Record<string, string>> };
  /** A period in days, hours, minutes and seconds, such as `7d`, `36h` or `1h30m`; from `1m` to `3650d`. */
  Period: { input: number; output: number };
  /** Labels of a runtime: an object. */
  Labels: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>> };
};

export type Query = {
  /** One deployment; null if the tenant has none with this id. */
  readonly deployment?: Maybe<Deployment>;
  /** The tenant's deployments. */
  readonly deployments: DeploymentConnection;
  /** The current runtimes of deployments, which users and products connect to. In the order of deployments. */
  readonly runtimes: RuntimeConnection;
  /** One operation; null if the tenant has none with this id. */
  readonly operation?: Maybe<Operation>;
  /** The tenant's operations, newest first. */
  readonly operations: OperationConnection;
  /** The provisioners of a platform with their used and free capacity. */
  readonly provisioners: ReadonlyArray<Provisioner>;
  /** Previews applying a deployment's config again: the plan is empty if the deployment has its desired config. */
  readonly plan: Plan;
  /** The audit trail: caller, request, time, address and outcome, newest first. For administrators. */
  readonly audit: AuditConnection;
  /**
   * Notices of the service: provisioners that are nearly full, deployments that differ from their cluster or whose lifetime ends,
   * runtimes with pods that are not ready. Newest first, one for each change.
   */
  readonly notices: NoticeConnection;
  /** An object by its `nodeId`; null if the tenant has none. For clients that refetch objects of any type, such as Relay. */
  readonly node?: Maybe<Node>;
  /** The caller of this request: name, tenant and role. */
  readonly me: Me;
  /** One rollout of a platform's changes; null if the tenant has none with this id. */
  readonly rollout?: Maybe<Rollout>;
  /** The tenant's last rollouts, newest first. */
  readonly rollouts: ReadonlyArray<Rollout>;
  /** Disks that stayed when runtimes were deleted, oldest first, and their size. A tenant has those of its deployments, deprovisioned ones included. */
  readonly keptDisks: KeptDiskConnection;
  /** Bundles of platforms that the service reconciles, by platform, with what the last look at each found. For administrators of all tenants. */
  readonly bundles: BundleConnection;
  /** Stacks without a deployment, deployments without a stack, and parts without either. For administrators of all tenants. */
  readonly orphans: OrphanReport;
  /** A Kyma runtime: its last operation, its configuration, its connection. Every field of the runtime API needs the header `tenant`. */
  readonly runtimeStatus?: Maybe<RuntimeStatus>;
  /** An operation on a Kyma runtime. */
  readonly runtimeOperationStatus?: Maybe<OperationStatus>;
  /** The plan of `provisionRuntime` with this configuration: the cluster that would be created. Changes nothing. */
  readonly provisionRuntimePlan: Plan;
  /** The plan of `upgradeShoot` with this configuration. Changes nothing. */
  readonly upgradeShootPlan: Plan;
};

export type QueryDeploymentArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryDeploymentsArgs = {
  filter?: InputMaybe<DeploymentFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
  orderBy?: DeploymentOrder;
  direction?: Direction;
};

export type QueryRuntimesArgs = {
  filter?: InputMaybe<DeploymentFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
  orderBy?: DeploymentOrder;
  direction?: Direction;
};

export type QueryOperationArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryOperationsArgs = {
  filter?: InputMaybe<OperationFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
  direction?: Direction;
};

export type QueryProvisionersArgs = {
  platform?: InputMaybe<Scalars["String"]["input"]>;
};

export type QueryPlanArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryAuditArgs = {
  filter?: InputMaybe<AuditFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
  direction?: Direction;
};

export type QueryNoticesArgs = {
  filter?: InputMaybe<NoticeFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
  direction?: Direction;
};

export type QueryNodeArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryRolloutArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryRolloutsArgs = {
  first?: InputMaybe<Scalars["Int"]["input"]>;
};

export type QueryKeptDisksArgs = {
  filter?: InputMaybe<KeptDiskFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
};

export type QueryBundlesArgs = {
  filter?: InputMaybe<BundleFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
};

export type QueryRuntimeStatusArgs = {
  id: Scalars["String"]["input"];
};

export type QueryRuntimeOperationStatusArgs = {
  id: Scalars["String"]["input"];
};

export type QueryProvisionRuntimePlanArgs = {
  config: ProvisionRuntimeInput;
};

export type QueryUpgradeShootPlanArgs = {
  id: Scalars["String"]["input"];
  config: UpgradeShootInput;
};

export type Mutation = {
  /** Creates a deployment and its runtime. */
  readonly provisionDeployment: DeploymentPayload;
  /** Changes the config of a deployment. Fields that are not given keep their values. */
  readonly updateDeployment: DeploymentPayload;
  /** Stops the runtime and keeps its disk or slots. */
  readonly hibernateDeployment: DeploymentPayload;
  /** Starts a hibernated runtime again, with its disk. */
  readonly wakeDeployment: DeploymentPayload;
  /** Moves the runtime to another provisioner, or without one to another host, namespace or cluster of its own provisioner. Its data is not copied. Fails while the deployment is protected. */
  readonly moveDeployment: DeploymentPayload;
  /** Deletes the runtime and all of its resources. Fails while the deployment is protected. */
  readonly deprovisionDeployment: DeploymentPayload;
  /** Runs a failed or canceled operation again. */
  readonly retryOperation: DeploymentPayload;
  /** Cancels an operation that is pending or in progress. Resources that it has created stay. */
  readonly cancelOperation: DeploymentPayload;
  /** Protects the data of a deployment: whatever would delete its disk, database, cluster or slots is refused, by the service and by the command line. */
  readonly protectDeployment: DeploymentPayload;
  /** Removes that protection. */
  readonly unprotectDeployment: DeploymentPayload;
  /** Changes the limits of a deployment's lifetime at once, without an operation. Limits that are not given stay; null removes one. */
  readonly setDeploymentLifetime: DeploymentPayload;
  /** Reports that a deployment is in use, which restarts its idle limit and its retention. */
  readonly touchDeployment: Deployment;
  /** Applies the current config of a platform stack to its deployments, in waves. With `dryRun`, only reports what would change. */
  readonly refreshPlatform: Rollout;
  /** Starts no other operation of a rollout; operations in progress continue. */
  readonly cancelRollout: Rollout;
  /** Deletes kept disks with all data, all or none. Fails while one of their deployments is protected. With `dryRun`, only says what would be deleted. */
  readonly deleteKeptDisks: DeletedDisks;
  /** Creates a deployment of the tenant from an existing stack without changing the stack. For administrators of all tenants. */
  readonly adoptDeployment: Deployment;
  /** Removes a deployment whose stack no longer exists. For administrators of all tenants. */
  readonly forgetDeployment: Deployment;
  /** Creates a Kubernetes cluster on Gardener, and installs Kyma on it where `kymaConfig` is given. */
  readonly provisionRuntime?: Maybe<OperationStatus>;
  /** Creates a deprovisioned runtime again, with the same id and a new cluster. Without `config` as it was before. */
  readonly reprovisionRuntime?: Maybe<OperationStatus>;
  /** Changes the version or the configuration of Kyma. */
  readonly upgradeRuntime?: Maybe<OperationStatus>;
  /** Deletes the cluster and everything on it. Returns the id of the operation. */
  readonly deprovisionRuntime: Scalars["String"]["output"];
  /** Changes the cluster. What is not given stays as it is. */
  readonly upgradeShoot?: Maybe<OperationStatus>;
  /** Hibernates the cluster. */
  readonly hibernateRuntime?: Maybe<OperationStatus>;
  /** Wakes a hibernated cluster. */
  readonly wakeRuntime?: Maybe<OperationStatus>;
  /**
   * Restores the recorded Kyma configuration from before the last upgrade. Does not touch the cluster: use it after the cluster was
   * restored from a backup. `rollBackRuntime` changes the cluster, too.
   */
  readonly rollBackUpgradeOperation?: Maybe<RuntimeStatus>;
  /** Applies the Kyma configuration from before the last upgrade to the cluster. */
  readonly rollBackRuntime?: Maybe<OperationStatus>;
  /**
   * Issues a kubeconfig for the cluster that is valid for a limited time: 600 to 86400 seconds. Callers with the role `viewer` get one of
   * a viewer only. It is noted in the audit trail who got which.
   */
  readonly issueRuntimeKubeconfig: RuntimeKubeconfig;
  /** Configures the agent again that connects the runtime to the Director. Returns the id of the operation. */
  readonly reconnectRuntimeAgent: Scalars["String"]["output"];
};

export type MutationProvisionDeploymentArgs = {
  id: Scalars["ID"]["input"];
  deployment: DeploymentInput;
  platform?: InputMaybe<Scalars["String"]["input"]>;
  disk?: InputMaybe<Scalars["String"]["input"]>;
  lifetime?: InputMaybe<LifetimeInput>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationUpdateDeploymentArgs = {
  id: Scalars["ID"]["input"];
  deployment: DeploymentInput;
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationHibernateDeploymentArgs = {
  id: Scalars["ID"]["input"];
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationWakeDeploymentArgs = {
  id: Scalars["ID"]["input"];
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationMoveDeploymentArgs = {
  id: Scalars["ID"]["input"];
  provisioner?: InputMaybe<Scalars["String"]["input"]>;
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationDeprovisionDeploymentArgs = {
  id: Scalars["ID"]["input"];
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationRetryOperationArgs = {
  id: Scalars["ID"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationCancelOperationArgs = {
  id: Scalars["ID"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationProtectDeploymentArgs = {
  id: Scalars["ID"]["input"];
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationUnprotectDeploymentArgs = {
  id: Scalars["ID"]["input"];
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationSetDeploymentLifetimeArgs = {
  id: Scalars["ID"]["input"];
  lifetime: LifetimeInput;
  revision?: InputMaybe<Scalars["Int"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationTouchDeploymentArgs = {
  id: Scalars["ID"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
};

export type MutationRefreshPlatformArgs = {
  platform: Scalars["String"]["input"];
  waves?: InputMaybe<Scalars["String"]["input"]>;
  maxFailures?: Scalars["Int"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationCancelRolloutArgs = {
  id: Scalars["ID"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
};

export type MutationDeleteKeptDisksArgs = {
  names: ReadonlyArray<Scalars["ID"]["input"]>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationAdoptDeploymentArgs = {
  id: Scalars["ID"]["input"];
  history?: ReadonlyArray<PastOperation>;
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
};

export type MutationForgetDeploymentArgs = {
  id: Scalars["ID"]["input"];
  idempotencyKey?: InputMaybe<Scalars["String"]["input"]>;
};

export type MutationProvisionRuntimeArgs = {
  config: ProvisionRuntimeInput;
};

export type MutationReprovisionRuntimeArgs = {
  id: Scalars["String"]["input"];
  config?: InputMaybe<ProvisionRuntimeInput>;
};

export type MutationUpgradeRuntimeArgs = {
  id: Scalars["String"]["input"];
  config: UpgradeRuntimeInput;
};

export type MutationDeprovisionRuntimeArgs = {
  id: Scalars["String"]["input"];
};

export type MutationUpgradeShootArgs = {
  id: Scalars["String"]["input"];
  config: UpgradeShootInput;
};

export type MutationHibernateRuntimeArgs = {
  id: Scalars["String"]["input"];
};

export type MutationWakeRuntimeArgs = {
  id: Scalars["String"]["input"];
};

export type MutationRollBackUpgradeOperationArgs = {
  id: Scalars["String"]["input"];
};

export type MutationRollBackRuntimeArgs = {
  id: Scalars["String"]["input"];
};

export type MutationIssueRuntimeKubeconfigArgs = {
  id: Scalars["String"]["input"];
  role?: KubeconfigRole;
  expirationSeconds?: Scalars["Int"]["input"];
};

export type MutationReconnectRuntimeAgentArgs = {
  id: Scalars["String"]["input"];
};

export type Subscription = {
  /** Events of an operation: first the ones since `after`, then each new one. Ends with the operation. */
  readonly operationEvents: OperationEvent;
  /**
   * The tenant's operations, or those of one deployment: first the ones that wait or run, then each one that is requested,
   * goes on to another stage or ends. Does not end.
   */
  readonly operationChanges: Operation;
};

export type SubscriptionOperationEventsArgs = {
  id: Scalars["ID"]["input"];
  after?: InputMaybe<Scalars["ID"]["input"]>;
};

export type SubscriptionOperationChangesArgs = {
  deployment?: InputMaybe<Scalars["ID"]["input"]>;
};

/** Result of a mutation: the operation that executes the request, or with `dryRun` the plan. */
export type DeploymentPayload = {
  readonly deployment?: Maybe<Deployment>;
  readonly operation?: Maybe<Operation>;
  readonly plan?: Maybe<Plan>;
};

/** Config of a deployment, with the fields of its stack file and of `stackyard runtime up`. */
export type DeploymentInput = {
  /** Size in slots. New deployments: 1. */
  readonly slots?: InputMaybe<Scalars["Int"]["input"]>;
  /** Image tag of the runtime. Required for a new deployment. */
  readonly version?: InputMaybe<Scalars["String"]["input"]>;
  /** Environment, which may choose the provisioner. New deployments: prod. */
  readonly environment?: InputMaybe<Scalars["String"]["input"]>;
  /** Disk in GiB, instead of the disk of the slots. */
  readonly diskGb?: InputMaybe<Scalars["Float"]["input"]>;
  readonly annotations?: InputMaybe<Scalars["Annotations"]["input"]>;
  /** Name of the provisioner. Default: the environment's default, else the platform's. */
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  readonly resources?: InputMaybe<ResourcesInput>;
  /** Its complete `cluster`, for provisioners of type gardener, with the fields and faults of a stack file. */
  readonly cluster?: InputMaybe<Scalars["JSON"]["input"]>;
  /** The complete `kyma` of that cluster, with the fields of a stack file. */
  readonly kyma?: InputMaybe<Scalars["JSON"]["input"]>;
  /** The registration of that cluster in a Director, with the fields of a stack file. */
  readonly runtime?: InputMaybe<Scalars["JSON"]["input"]>;
  readonly state?: InputMaybe<DeploymentState>;
};

/** What a deployment has in addition to its runtime. An empty object: nothing. */
export type ResourcesInput = {
  readonly clickhouse?: InputMaybe<ClickHouseInput>;
};

/** A ClickHouse database. An empty object: from the platform's default provisioner. */
export type ClickHouseInput = {
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  /** Increase it to give this deployment a new password. */
  readonly passwordVersion?: InputMaybe<Scalars["Int"]["input"]>;
};

/** Limits of a deployment's lifetime. */
export type LifetimeInput = {
  /** It is hibernated so long after its creation, or after the request that sets this limit. */
  readonly timeToLive?: InputMaybe<Scalars["Period"]["input"]>;
  /** It is hibernated so long after its last use: a request that changes or wakes it, or `touchDeployment`. */
  readonly idleLimit?: InputMaybe<Scalars["Period"]["input"]>;
  /** It is deprovisioned so long after its hibernation. */
  readonly stoppedRetention?: InputMaybe<Scalars["Period"]["input"]>;
};

/** An operation that an earlier system ran, and that has ended. */
export type PastOperation = {
  /** Its UUID, by which callers find it. */
  readonly id: Scalars["ID"]["input"];
  readonly operation: OperationType;
  readonly succeeded: Scalars["Boolean"]["input"];
  readonly stage?: InputMaybe<Scalars["String"]["input"]>;
  readonly message: Scalars["String"]["input"];
  readonly startedAt: Scalars["DateTime"]["input"];
  readonly endedAt: Scalars["DateTime"]["input"];
  readonly lastError?: InputMaybe<PastError>;
};

/** The error of an operation, as the earlier system reported it. */
export type PastError = {
  readonly errMessage: Scalars["String"]["input"];
  readonly reason: Scalars["String"]["input"];
  readonly component: Scalars["String"]["input"];
};

export type DeploymentFilter = {
  /** Part of the id. */
  readonly id?: InputMaybe<Scalars["String"]["input"]>;
  readonly desiredState?: InputMaybe<ReadonlyArray<DesiredState>>;
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  readonly environment?: InputMaybe<Scalars["String"]["input"]>;
  /** `true`: include deprovisioned deployments. Default: false. */
  readonly deleted?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly health?: InputMaybe<ReadonlyArray<HealthState>>;
  /** Whether the last comparison with the cluster found changes. */
  readonly drifted?: InputMaybe<Scalars["Boolean"]["input"]>;
  /** State of the last operation that was not replaced by a later one. */
  readonly lastOperation?: InputMaybe<ReadonlyArray<OperationProgress>>;
  /** The version that is requested. */
  readonly version?: InputMaybe<Scalars["String"]["input"]>;
  /** Deployments that have each of these annotations with this value. */
  readonly annotations?: InputMaybe<Scalars["Annotations"]["input"]>;
  readonly createdAt?: InputMaybe<TimeRange>;
  readonly updatedAt?: InputMaybe<TimeRange>;
};

/** From a time, included, until another one, excluded. */
export type TimeRange = {
  readonly since?: InputMaybe<Scalars["DateTime"]["input"]>;
  readonly until?: InputMaybe<Scalars["DateTime"]["input"]>;
};

export type DeploymentOrder = "id" | "createdAt" | "updatedAt";

export type Direction = "asc" | "desc";

export type OperationFilter = {
  readonly deployment?: InputMaybe<Scalars["ID"]["input"]>;
  readonly kind?: InputMaybe<ReadonlyArray<OperationKind>>;
  readonly state?: InputMaybe<ReadonlyArray<OperationProgress>>;
  readonly requestedBy?: InputMaybe<Scalars["String"]["input"]>;
  readonly requestedAt?: InputMaybe<TimeRange>;
  readonly endedAt?: InputMaybe<TimeRange>;
};

export type NoticeFilter = {
  readonly kind?: InputMaybe<ReadonlyArray<NoticeKind>>;
  readonly level?: InputMaybe<NoticeLevel>;
  /** The deployment, or the provisioner as platform/name. */
  readonly subject?: InputMaybe<Scalars["String"]["input"]>;
  readonly at?: InputMaybe<TimeRange>;
};

export type KeptDiskFilter = {
  readonly deployment?: InputMaybe<Scalars["ID"]["input"]>;
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  /** Platform stack, as organization/project/stack. */
  readonly platform?: InputMaybe<Scalars["String"]["input"]>;
};

export type BundleFilter = {
  /** Platform stack, as organization/project/stack. */
  readonly platform?: InputMaybe<Scalars["String"]["input"]>;
  readonly standing?: InputMaybe<ReadonlyArray<BundleStanding>>;
};

export type AuditFilter = {
  readonly actor?: InputMaybe<Scalars["String"]["input"]>;
  readonly action?: InputMaybe<Scalars["String"]["input"]>;
  readonly target?: InputMaybe<Scalars["String"]["input"]>;
  readonly outcome?: InputMaybe<Scalars["String"]["input"]>;
  readonly at?: InputMaybe<TimeRange>;
};

export type DeploymentState = "running" | "hibernated";

export type DesiredState = "running" | "hibernated" | "absent";

export type OperationKind = "provision" | "update" | "hibernate" | "wake" | "move" | "deprovision" | "refresh";

export type OperationProgress =
  | "pending"
  | "in_progress"
  | "succeeded"
  | "failed"
  | "canceled"
  /** A later request of the same caller includes it: `replacedBy`. */
  | "replaced";

export type EventKind = "state" | "stage" | "step" | "diagnostic" | "note";

/**
 * Codes of errors: `code` of an operation's error, and of the `extensions` of a response's errors. Those from INTERNAL on are about
 * the service and its dependencies, the others about the request.
 */
export type ErrorCode =
  | "BAD_INPUT"
  | "UNAUTHENTICATED"
  | "TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "RATE_LIMITED"
  | "NOT_FOUND"
  | "CONFLICT"
  | "FORBIDDEN"
  | "QUOTA_EXCEEDED"
  | "PROTECTED"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "PROVISIONING_FAILED"
  | "CANCELED";

export type Role = "admin" | "operator" | "viewer";

/** Where a page is in its list. Pages are read forward by `first` and `after`, or backward by `last` and `before`. */
export type PageInfo = {
  readonly startCursor?: Maybe<Scalars["String"]["output"]>;
  readonly endCursor?: Maybe<Scalars["String"]["output"]>;
  readonly hasNextPage: Scalars["Boolean"]["output"];
  readonly hasPreviousPage: Scalars["Boolean"]["output"];
};

/** An object with an id of its own over all types and tenants. `id` is unique in its type and tenant only. */
export type Node = {
  readonly nodeId: Scalars["ID"]["output"];
};

export type Deployment = Node & {
  readonly nodeId: Scalars["ID"]["output"];
  readonly id: Scalars["ID"]["output"];
  /** Name of the runtime's stack, for the command line: the id, unless another deployment already has a stack with that name. */
  readonly stack: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  /** Rises whenever the desired state changes: with each request, and when one is canceled, fails, or finds the stack changed by hand. A mutation with this revision fails if there was such a change in between. */
  readonly revision: Scalars["Int"]["output"];
  readonly desiredState: DesiredState;
  /** True while whatever would delete its data is refused, such as a move and deprovisioning. */
  readonly protected: Scalars["Boolean"]["output"];
  /** The deployment's config with the fields of its stack file: the newest accepted request. Secret values are hidden. */
  readonly desiredConfig: Scalars["JSON"]["output"];
  /** The newest accepted request, with its types. */
  readonly config: DeploymentConfig;
  /**
   * The same as `desiredConfig`.
   * @deprecated Use `desiredConfig`.
   */
  readonly wish: Scalars["JSON"]["output"];
  /** Platform stack, as organization/project/stack. */
  readonly platform?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  /** The current runtime; null before the first operation has succeeded and after deprovisioning. */
  readonly runtime?: Maybe<Runtime>;
  /** The operation that is pending or in progress. */
  readonly currentOperation?: Maybe<Operation>;
  readonly lastOperation?: Maybe<Operation>;
  readonly operations: OperationConnection;
  /** Result of the last drift detection; null before the first one. */
  readonly drift?: Maybe<Drift>;
  /** Health of its pods, of its cluster's conditions, or of its host; null before the first check. */
  readonly health?: Maybe<Health>;
  /** When it is hibernated and deprovisioned by itself; null without a limit. */
  readonly lifetime?: Maybe<Lifetime>;
  /** Whether its provisioner, or that of its ClickHouse database, has changed since its last operation; null if that is not known. */
  readonly outdated?: Maybe<Scalars["Boolean"]["output"]>;
  /** What its runtime consists of, read from its stack and its cluster for each request; null without a stack. Costs as much as a report. */
  readonly contents?: Maybe<RuntimeContents>;
  readonly createdAt: Scalars["DateTime"]["output"];
  readonly updatedAt: Scalars["DateTime"]["output"];
  readonly deletedAt?: Maybe<Scalars["DateTime"]["output"]>;
};

export type DeploymentOperationsArgs = {
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
  last?: InputMaybe<Scalars["Int"]["input"]>;
  before?: InputMaybe<Scalars["String"]["input"]>;
};

/** Config of a deployment, with the fields of `DeploymentInput`. Fields that are not set are null. Secret values are hidden. */
export type DeploymentConfig = {
  readonly slots?: Maybe<Scalars["Int"]["output"]>;
  readonly version?: Maybe<Scalars["String"]["output"]>;
  readonly environment?: Maybe<Scalars["String"]["output"]>;
  readonly diskGb?: Maybe<Scalars["Float"]["output"]>;
  readonly annotations?: Maybe<Scalars["Annotations"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  readonly resources?: Maybe<Resources>;
  readonly cluster?: Maybe<Scalars["JSON"]["output"]>;
  readonly kyma?: Maybe<Scalars["JSON"]["output"]>;
  readonly runtime?: Maybe<Scalars["JSON"]["output"]>;
  readonly state?: Maybe<DeploymentState>;
};

export type Resources = {
  readonly clickhouse?: Maybe<ClickHouse>;
};

export type ClickHouse = {
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  readonly passwordVersion?: Maybe<Scalars["Int"]["output"]>;
};

export type DeploymentConnection = {
  readonly edges: ReadonlyArray<DeploymentEdge>;
  readonly nodes: ReadonlyArray<Deployment>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type DeploymentEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: Deployment;
};

/** What a deployment has: the outputs of its stack. */
export type Runtime = {
  readonly deployment: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly host?: Maybe<Scalars["String"]["output"]>;
  readonly audienceUrl?: Maybe<Scalars["String"]["output"]>;
  readonly cpu?: Maybe<Scalars["Float"]["output"]>;
  /** Memory in GB. */
  readonly memoryGb?: Maybe<Scalars["Float"]["output"]>;
  /** Actual size of the disk in bytes. */
  readonly storageBytes?: Maybe<Scalars["Float"]["output"]>;
  readonly dataDir?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  readonly state?: Maybe<DeploymentState>;
};

export type RuntimeConnection = {
  readonly edges: ReadonlyArray<RuntimeEdge>;
  readonly nodes: ReadonlyArray<Runtime>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type RuntimeEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: Runtime;
};

export type Operation = Node & {
  readonly nodeId: Scalars["ID"]["output"];
  readonly id: Scalars["ID"]["output"];
  readonly deployment?: Maybe<Deployment>;
  readonly deploymentId: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly kind: OperationKind;
  readonly state: OperationProgress;
  /** Current or last stage. */
  readonly stage?: Maybe<Scalars["String"]["output"]>;
  readonly stages: ReadonlyArray<Stage>;
  readonly attempts: Scalars["Int"]["output"];
  /** What it does or did, as one sentence. */
  readonly message?: Maybe<Scalars["String"]["output"]>;
  readonly error?: Maybe<OperationError>;
  /** The requested change, with that of the requests that it replaced. */
  readonly change?: Maybe<Scalars["JSON"]["output"]>;
  /** The fields of the config that it changes, with their types. */
  readonly config: DeploymentConfig;
  /** The deployment's revision after the request. */
  readonly revision: Scalars["Int"]["output"];
  /** Number of resources by change, notes, and the outputs without secrets. */
  readonly result?: Maybe<Scalars["JSON"]["output"]>;
  /** The same as `result`, with its types; null before its end. */
  readonly outcome?: Maybe<Outcome>;
  readonly requestedBy: Scalars["String"]["output"];
  readonly requestedAt: Scalars["DateTime"]["output"];
  readonly startedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly endedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly deadlineAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly cancelRequestedAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** Seconds from start to end, or to now. */
  readonly durationSeconds?: Maybe<Scalars["Float"]["output"]>;
  /** The operation that this one retries. */
  readonly retryOf?: Maybe<Scalars["ID"]["output"]>;
  /** The later operation of the same caller that includes this request. */
  readonly replacedBy?: Maybe<Scalars["ID"]["output"]>;
};

/** What an operation did. */
export type Outcome = {
  readonly changes: ReadonlyArray<ResourceCount>;
  readonly notes: ReadonlyArray<Scalars["String"]["output"]>;
  /** The runtime that it left; null if there is none. */
  readonly runtime?: Maybe<Runtime>;
};

/** Number of resources that the engine treated alike. */
export type ResourceCount = {
  /** create, update, replace, delete or same, or another kind of step of the engine. */
  readonly action: Scalars["String"]["output"];
  readonly count: Scalars["Int"]["output"];
};

export type OperationConnection = {
  readonly edges: ReadonlyArray<OperationEdge>;
  readonly nodes: ReadonlyArray<Operation>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type OperationEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: Operation;
};

export type Stage = {
  readonly number: Scalars["Int"]["output"];
  readonly name: Scalars["String"]["output"];
  readonly state: OperationProgress;
  readonly attempts: Scalars["Int"]["output"];
  readonly startedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly endedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly durationSeconds?: Maybe<Scalars["Float"]["output"]>;
  readonly error?: Maybe<OperationError>;
};

/** Why something failed, with the fields of the `extensions` of an error. */
export type OperationError = {
  readonly code: ErrorCode;
  readonly reason: Scalars["String"]["output"];
  readonly component?: Maybe<Scalars["String"]["output"]>;
  readonly path?: Maybe<Scalars["String"]["output"]>;
  /** How to fix it. */
  readonly advice?: Maybe<Scalars["String"]["output"]>;
  readonly retryable?: Maybe<Scalars["Boolean"]["output"]>;
};

export type OperationEvent = {
  /** Pass the last id as `after` to continue after a lost connection. */
  readonly id: Scalars["ID"]["output"];
  readonly operation: Scalars["ID"]["output"];
  readonly at: Scalars["DateTime"]["output"];
  readonly kind: EventKind;
  readonly text: Scalars["String"]["output"];
  readonly data?: Maybe<Scalars["JSON"]["output"]>;
};

/** What would be created, changed, replaced or deleted. */
export type Plan = {
  readonly deployment: Scalars["ID"]["output"];
  readonly kind: OperationKind;
  readonly changes: ReadonlyArray<PlannedChange>;
  readonly notes: ReadonlyArray<Scalars["String"]["output"]>;
  readonly outputs?: Maybe<Scalars["JSON"]["output"]>;
  /** Its lifetime after the request; null without a limit. */
  readonly lifetime?: Maybe<Lifetime>;
};

export type PlannedAction = "create" | "update" | "replace" | "delete" | "import";

export type PlannedChange = {
  readonly action: PlannedAction;
  readonly type: Scalars["String"]["output"];
  readonly name: Scalars["String"]["output"];
  readonly urn: Scalars["String"]["output"];
  readonly properties: ReadonlyArray<PlannedProperty>;
};

export type PlannedProperty = {
  readonly path: Scalars["String"]["output"];
  /** Null if there was no value. A secret is shown as [secret]. */
  readonly before?: Maybe<Scalars["JSON"]["output"]>;
  readonly after?: Maybe<Scalars["JSON"]["output"]>;
};

export type Provisioner = {
  readonly platform: Scalars["String"]["output"];
  readonly name: Scalars["String"]["output"];
  /** static, kubernetes or gardener. */
  readonly type: Scalars["String"]["output"];
  readonly isDefault: Scalars["Boolean"]["output"];
  /** Environments whose default it is. */
  readonly environments: ReadonlyArray<Scalars["String"]["output"]>;
  /** Number of its runtimes. */
  readonly runtimes: Scalars["Int"]["output"];
  /** Null if the number is not fixed. */
  readonly slotsTotal?: Maybe<Scalars["Int"]["output"]>;
  readonly slotsUsed: Scalars["Int"]["output"];
  readonly slotsFree?: Maybe<Scalars["Int"]["output"]>;
  readonly hosts: ReadonlyArray<Host>;
  /** Why it is nearly full. */
  readonly warnings: ReadonlyArray<Scalars["String"]["output"]>;
};

export type Host = {
  readonly host: Scalars["String"]["output"];
  readonly slots: Scalars["Int"]["output"];
  readonly used: Scalars["Int"]["output"];
  readonly free: Scalars["Int"]["output"];
  /** True if it gets no new runtimes. */
  readonly drain: Scalars["Boolean"]["output"];
};

export type AuditEntry = {
  readonly id: Scalars["ID"]["output"];
  readonly at: Scalars["DateTime"]["output"];
  readonly tenant?: Maybe<Scalars["String"]["output"]>;
  readonly actor: Scalars["String"]["output"];
  readonly address?: Maybe<Scalars["String"]["output"]>;
  readonly action: Scalars["String"]["output"];
  readonly target?: Maybe<Scalars["String"]["output"]>;
  readonly outcome: Scalars["String"]["output"];
  readonly details?: Maybe<Scalars["JSON"]["output"]>;
};

export type AuditConnection = {
  readonly edges: ReadonlyArray<AuditEdge>;
  readonly nodes: ReadonlyArray<AuditEntry>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type AuditEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: AuditEntry;
};

export type Me = {
  readonly actor: Scalars["String"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly role: Role;
  /** True if the role is for all tenants. */
  readonly allTenants: Scalars["Boolean"]["output"];
};

export type RolloutState = "planning" | "planned" | "running" | "succeeded" | "failed" | "canceled";

export type RolloutItemState = "unchanged" | "changes" | "unknown" | "running" | "succeeded" | "failed" | "skipped";

export type Rollout = Node & {
  readonly nodeId: Scalars["ID"]["output"];
  readonly id: Scalars["ID"]["output"];
  readonly platform: Scalars["String"]["output"];
  /** Null for the deployments of all tenants. */
  readonly tenant?: Maybe<Scalars["String"]["output"]>;
  readonly state: RolloutState;
  readonly message: Scalars["String"]["output"];
  readonly waves?: Maybe<Scalars["String"]["output"]>;
  readonly maxFailures: Scalars["Int"]["output"];
  readonly dryRun: Scalars["Boolean"]["output"];
  readonly items: ReadonlyArray<RolloutItem>;
  readonly requestedBy: Scalars["String"]["output"];
  readonly requestedAt: Scalars["DateTime"]["output"];
  readonly endedAt?: Maybe<Scalars["DateTime"]["output"]>;
};

export type RolloutItem = {
  readonly deploymentId: Scalars["ID"]["output"];
  readonly state: RolloutItemState;
  readonly wave?: Maybe<Scalars["Int"]["output"]>;
  readonly changes: ReadonlyArray<PlannedChange>;
  /** Why the changes are unknown, or why it failed. */
  readonly error?: Maybe<Scalars["String"]["output"]>;
  readonly operationId?: Maybe<Scalars["ID"]["output"]>;
};

export type Drift = {
  readonly checkedAt: Scalars["DateTime"]["output"];
  readonly changes: ReadonlyArray<PlannedChange>;
  /** Why drift detection failed. */
  readonly error?: Maybe<Scalars["String"]["output"]>;
  /** The operation that repairs the drift. */
  readonly repairOperationId?: Maybe<Scalars["ID"]["output"]>;
};

/** When a deployment is hibernated and deprovisioned by itself. Each is announced before, by a notice. */
export type Lifetime = {
  readonly timeToLive?: Maybe<Scalars["Period"]["output"]>;
  readonly idleLimit?: Maybe<Scalars["Period"]["output"]>;
  readonly stoppedRetention?: Maybe<Scalars["Period"]["output"]>;
  /** End of the time to live. */
  readonly expiresAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** Its last use; null while it is hibernated. */
  readonly idleSince?: Maybe<Scalars["DateTime"]["output"]>;
  /** When it is hibernated, unless it is used; null while it is hibernated or protected. */
  readonly hibernatesAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** When it is deprovisioned, unless it is used; null while it runs or is protected. */
  readonly deletesAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** When this was announced; null before. */
  readonly announcedAt?: Maybe<Scalars["DateTime"]["output"]>;
};

export type RuntimeContents = {
  /** Slots, objects, databases and clusters, according to the state of its stack. */
  readonly consistsOf: ReadonlyArray<Scalars["String"]["output"]>;
  /** The current state of its objects in each cluster. */
  readonly conditions: ReadonlyArray<SetCondition>;
};

/** The objects of a runtime in one cluster. One of the fields has a value. */
export type SetCondition = {
  readonly objects?: Maybe<ReadonlyArray<ObjectStatus>>;
  /** The provisioner leads to another cluster than the one that has the objects. */
  readonly elsewhere?: Maybe<Scalars["String"]["output"]>;
  /** Why the cluster could not be asked. */
  readonly unknown?: Maybe<Scalars["String"]["output"]>;
};

export type ObjectStatus = {
  /** Kind, namespace and name, such as `StatefulSet runtimes/runtime-acme`. */
  readonly object: Scalars["String"]["output"];
  readonly state: ObjectState;
  /** Its progress or its address. */
  readonly detail: Scalars["String"]["output"];
  /** Reasons, and its pods and claims. */
  readonly lines: ReadonlyArray<Scalars["String"]["output"]>;
  /** Its PersistentVolumeClaims. */
  readonly disks: ReadonlyArray<ObjectDisk>;
  /** Differences from what was applied. */
  readonly findings: ReadonlyArray<ObjectFinding>;
};

export type ObjectDisk = {
  /** `<namespace>/<claim>`. */
  readonly claim: Scalars["String"]["output"];
  /** Null while it is not bound. */
  readonly bytes?: Maybe<Scalars["Float"]["output"]>;
  /** When it was created. */
  readonly since?: Maybe<Scalars["String"]["output"]>;
  /** Whether it is deleted when the runtime is destroyed. */
  readonly goes: Scalars["Boolean"]["output"];
};

export type ObjectState =
  | "ready"
  | "waiting"
  /** It was deleted outside of the stack. */
  | "missing"
  /** It, or a claim of it, is not what was applied. */
  | "differs";

export type ObjectFinding = {
  /** `missing`, `deleting`, `replaced`, `lost`, `foreign`, `unmarked` or `changed`. */
  readonly kind: Scalars["String"]["output"];
  readonly object: Scalars["String"]["output"];
  readonly text: Scalars["String"]["output"];
  /** Whether the next operation restores it. */
  readonly repairable: Scalars["Boolean"]["output"];
};

export type HealthState =
  | "healthy"
  | "unhealthy"
  /** Not checked yet, or the check failed. */
  | "unknown";

export type Health = {
  readonly state: HealthState;
  /** Why it is not healthy. */
  readonly reason?: Maybe<Scalars["String"]["output"]>;
  readonly checkedAt: Scalars["DateTime"]["output"];
};

export type NoticeKind = "capacity" | "drift" | "health" | "lifetime";

export type NoticeLevel = "info" | "warning";

export type Notice = {
  readonly id: Scalars["ID"]["output"];
  readonly at: Scalars["DateTime"]["output"];
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  /** Null for notices that every tenant reads; `*` for those that administrators of all tenants read. */
  readonly tenant?: Maybe<Scalars["String"]["output"]>;
  /** The deployment, the provisioner as platform/name, or the bundle as platform/namespace/name. */
  readonly subject: Scalars["String"]["output"];
  readonly text: Scalars["String"]["output"];
};

export type NoticeConnection = {
  readonly edges: ReadonlyArray<NoticeEdge>;
  readonly nodes: ReadonlyArray<Notice>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type NoticeEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: Notice;
};

export type OrphanReport = {
  readonly nodes: ReadonlyArray<Orphan>;
  /** Platforms, ledgers and clusters that could not be read, each with the reason. */
  readonly unseen: ReadonlyArray<Scalars["String"]["output"]>;
};

export type OrphanKind = "stack" | "deployment" | "parts";

export type Orphan = {
  readonly kind: OrphanKind;
  readonly id: Scalars["ID"]["output"];
  readonly tenant?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  /** Its existing parts. */
  readonly parts: ReadonlyArray<Scalars["String"]["output"]>;
};

/** A disk that stayed when its runtime was deleted. */
export type KeptDisk = {
  /** Its namespace and claim, as namespace/claim. */
  readonly name: Scalars["ID"]["output"];
  /** The deployment whose runtime used it; its stack if the service does not know the deployment. */
  readonly deployment: Scalars["ID"]["output"];
  /** Null if the service does not know the deployment; only administrators of all tenants see such a disk. */
  readonly tenant?: Maybe<Scalars["String"]["output"]>;
  /** Platform stack, as organization/project/stack. */
  readonly platform?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  /** Size in GiB. */
  readonly gib: Scalars["Float"]["output"];
  readonly keptAt?: Maybe<Scalars["DateTime"]["output"]>;
};

export type KeptDiskConnection = {
  readonly edges: ReadonlyArray<KeptDiskEdge>;
  readonly nodes: ReadonlyArray<KeptDisk>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
  /** Size of all matching disks in GiB. */
  readonly totalGib: Scalars["Float"]["output"];
  /** Clusters that could not be read, with the reasons for administrators of all tenants. */
  readonly unseen: ReadonlyArray<Scalars["String"]["output"]>;
};

export type KeptDiskEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: KeptDisk;
};

export type DeletedDisks = {
  readonly disks: ReadonlyArray<KeptDisk>;
  /** Size of these disks in GiB. */
  readonly totalGib: Scalars["Float"]["output"];
};

export type BundleStanding =
  /** Nothing differed. */
  | "clean"
  /** Everything that differed was restored. */
  | "repaired"
  /** Something stays as it is. */
  | "differs"
  /** The stack is locked, or an update did not come to its end. */
  | "busy"
  /** An annotation disables it. */
  | "paused"
  /** An error, such as a missing approval. */
  | "failed";

/** A bundle of a platform that the service reconciles, and what the last look at it found. */
export type Bundle = {
  /** Platform stack, as organization/project/stack. */
  readonly platform: Scalars["String"]["output"];
  /** Its namespace and name, as namespace/name. */
  readonly name: Scalars["String"]["output"];
  /** URN of its release in the stack of the platform. */
  readonly urn: Scalars["ID"]["output"];
  /** `reconcileSeconds` of its config. */
  readonly everySeconds: Scalars["Int"]["output"];
  /** Null before the first look. */
  readonly standing?: Maybe<BundleStanding>;
  /** Why it is not as it was applied, one line for each object; null if it is. */
  readonly reason?: Maybe<Scalars["String"]["output"]>;
  readonly checkedAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** Later than the interval while each look restores something. */
  readonly nextAt: Scalars["DateTime"]["output"];
  /** Number of looks in a row that restored something; from 3 on, something changes it again and again. */
  readonly streak: Scalars["Int"]["output"];
  /** Number of objects that were restored so far. */
  readonly repairs: Scalars["Int"]["output"];
  /** What was restored last, at most 100 objects. */
  readonly restored: ReadonlyArray<RestoredObject>;
  readonly restoredAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** Field managers that had set what the last look found different. */
  readonly managers: ReadonlyArray<Scalars["String"]["output"]>;
};

export type RestoredObject = {
  /** Kind, namespace and name, such as `Deployment shop/web`. */
  readonly object: Scalars["String"]["output"];
  /** Its fields, or that it was missing. */
  readonly text: Scalars["String"]["output"];
};

export type BundleConnection = {
  readonly edges: ReadonlyArray<BundleEdge>;
  readonly nodes: ReadonlyArray<Bundle>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type BundleEdge = {
  readonly cursor: Scalars["String"]["output"];
  readonly node: Bundle;
};

/** What a kubeconfig allows in the cluster. */
export type KubeconfigRole = "admin" | "viewer";

/** A kubeconfig for the cluster of a runtime. */
export type RuntimeKubeconfig = {
  /** The kubeconfig as YAML text; a secret. */
  readonly kubeconfig: Scalars["String"]["output"];
  readonly role: KubeconfigRole;
  readonly expiresAt: Scalars["DateTime"]["output"];
};

export type OperationType =
  | "Provision"
  | "ProvisionNoInstall"
  | "Upgrade"
  | "UpgradeShoot"
  | "Deprovision"
  | "DeprovisionNoInstall"
  | "ReconnectRuntime"
  | "Hibernate"
  | "Wake";

export type OperationState = "Pending" | "InProgress" | "Succeeded" | "Failed";

export type RuntimeAgentConnectionStatus = "Pending" | "Connected" | "Disconnected";

export type KymaProfile = "Evaluation" | "Production";

export type ConflictStrategy = "Merge" | "Replace";

export type OperationStatus = {
  readonly id?: Maybe<Scalars["String"]["output"]>;
  readonly operation: OperationType;
  readonly state: OperationState;
  readonly message?: Maybe<Scalars["String"]["output"]>;
  readonly runtimeID?: Maybe<Scalars["String"]["output"]>;
  /** Always null: the id in the Director is the runtime's. */
  readonly compassRuntimeID?: Maybe<Scalars["String"]["output"]>;
  /** Empty texts where there is no error. */
  readonly lastError?: Maybe<LastError>;
};

export type LastError = {
  readonly errMessage: Scalars["String"]["output"];
  readonly reason: Scalars["String"]["output"];
  readonly component: Scalars["String"]["output"];
};

export type RuntimeStatus = {
  readonly lastOperationStatus?: Maybe<OperationStatus>;
  readonly runtimeConnectionStatus?: Maybe<RuntimeConnectionStatus>;
  readonly runtimeConfiguration?: Maybe<RuntimeConfig>;
  /** As Gardener last reported it; null fields where it has not yet. */
  readonly hibernationStatus?: Maybe<HibernationStatus>;
};

export type RuntimeConnectionStatus = {
  readonly status: RuntimeAgentConnectionStatus;
  readonly errors?: Maybe<ReadonlyArray<Error>>;
};

export type Error = {
  readonly message?: Maybe<Scalars["String"]["output"]>;
};

export type HibernationStatus = {
  readonly hibernated?: Maybe<Scalars["Boolean"]["output"]>;
  readonly hibernationPossible?: Maybe<Scalars["Boolean"]["output"]>;
};

export type RuntimeConfig = {
  readonly clusterConfig?: Maybe<GardenerConfig>;
  readonly kymaConfig?: Maybe<KymaConfig>;
  /** An administrator's kubeconfig with a limited life, for callers who may change runtimes; null while Gardener gives none. */
  readonly kubeconfig?: Maybe<Scalars["String"]["output"]>;
};

export type GardenerConfig = {
  readonly name?: Maybe<Scalars["String"]["output"]>;
  readonly kubernetesVersion?: Maybe<Scalars["String"]["output"]>;
  readonly targetSecret?: Maybe<Scalars["String"]["output"]>;
  readonly provider?: Maybe<Scalars["String"]["output"]>;
  readonly region?: Maybe<Scalars["String"]["output"]>;
  readonly seed?: Maybe<Scalars["String"]["output"]>;
  readonly machineType?: Maybe<Scalars["String"]["output"]>;
  readonly machineImage?: Maybe<Scalars["String"]["output"]>;
  readonly machineImageVersion?: Maybe<Scalars["String"]["output"]>;
  readonly diskType?: Maybe<Scalars["String"]["output"]>;
  readonly volumeSizeGB?: Maybe<Scalars["Int"]["output"]>;
  readonly workerCidr?: Maybe<Scalars["String"]["output"]>;
  readonly podsCidr?: Maybe<Scalars["String"]["output"]>;
  readonly servicesCidr?: Maybe<Scalars["String"]["output"]>;
  readonly autoScalerMin?: Maybe<Scalars["Int"]["output"]>;
  readonly autoScalerMax?: Maybe<Scalars["Int"]["output"]>;
  readonly maxSurge?: Maybe<Scalars["Int"]["output"]>;
  readonly maxUnavailable?: Maybe<Scalars["Int"]["output"]>;
  readonly purpose?: Maybe<Scalars["String"]["output"]>;
  readonly licenceType?: Maybe<Scalars["String"]["output"]>;
  readonly enableKubernetesVersionAutoUpdate?: Maybe<Scalars["Boolean"]["output"]>;
  readonly enableMachineImageVersionAutoUpdate?: Maybe<Scalars["Boolean"]["output"]>;
  readonly allowPrivilegedContainers?: Maybe<Scalars["Boolean"]["output"]>;
  readonly providerSpecificConfig?: Maybe<ProviderSpecificConfig>;
  readonly dnsConfig?: Maybe<DnsConfig>;
  readonly oidcConfig?: Maybe<OidcConfig>;
  readonly exposureClassName?: Maybe<Scalars["String"]["output"]>;
  readonly shootNetworkingFilterDisabled?: Maybe<Scalars["Boolean"]["output"]>;
  readonly controlPlaneFailureTolerance?: Maybe<Scalars["String"]["output"]>;
  readonly euAccess?: Maybe<Scalars["Boolean"]["output"]>;
  readonly workerPools?: Maybe<ReadonlyArray<WorkerPool>>;
  readonly hibernationSchedules?: Maybe<ReadonlyArray<HibernationSchedule>>;
  readonly maintenanceWindow?: Maybe<MaintenanceWindow>;
  readonly administrators?: Maybe<ReadonlyArray<Scalars["String"]["output"]>>;
};

/** Nodes besides those that the fields of the cluster describe. */
export type WorkerPool = {
  readonly name: Scalars["String"]["output"];
  readonly machineType?: Maybe<Scalars["String"]["output"]>;
  readonly machineImage?: Maybe<Scalars["String"]["output"]>;
  readonly machineImageVersion?: Maybe<Scalars["String"]["output"]>;
  readonly diskType?: Maybe<Scalars["String"]["output"]>;
  readonly volumeSizeGB?: Maybe<Scalars["Int"]["output"]>;
  readonly autoScalerMin?: Maybe<Scalars["Int"]["output"]>;
  readonly autoScalerMax?: Maybe<Scalars["Int"]["output"]>;
  readonly maxSurge?: Maybe<Scalars["Int"]["output"]>;
  readonly maxUnavailable?: Maybe<Scalars["Int"]["output"]>;
  readonly zones?: Maybe<ReadonlyArray<Scalars["String"]["output"]>>;
  readonly labels?: Maybe<Scalars["Annotations"]["output"]>;
};

/** Times as cron expressions. */
export type HibernationSchedule = {
  readonly start?: Maybe<Scalars["String"]["output"]>;
  readonly end?: Maybe<Scalars["String"]["output"]>;
  readonly location?: Maybe<Scalars["String"]["output"]>;
};

/** Times such as 220000+0100. */
export type MaintenanceWindow = {
  readonly begin: Scalars["String"]["output"];
  readonly end: Scalars["String"]["output"];
};

export type ProviderSpecificConfig =
  GcpProviderConfig | AzureProviderConfig | AwsProviderConfig | OpenStackProviderConfig;

export type GcpProviderConfig = {
  readonly zones: ReadonlyArray<Scalars["String"]["output"]>;
};

export type AzureProviderConfig = {
  readonly vnetCidr?: Maybe<Scalars["String"]["output"]>;
  readonly zones?: Maybe<ReadonlyArray<Scalars["String"]["output"]>>;
  readonly azureZones?: Maybe<ReadonlyArray<AzureZone>>;
  readonly enableNatGateway?: Maybe<Scalars["Boolean"]["output"]>;
  readonly idleConnectionTimeoutMinutes?: Maybe<Scalars["Int"]["output"]>;
};

export type AzureZone = {
  readonly name: Scalars["Int"]["output"];
  readonly cidr: Scalars["String"]["output"];
};

export type AwsProviderConfig = {
  readonly awsZones: ReadonlyArray<Maybe<AwsZone>>;
  readonly vpcCidr?: Maybe<Scalars["String"]["output"]>;
  readonly enableIMDSv2?: Maybe<Scalars["Boolean"]["output"]>;
  /** The first of `awsZones`. */
  readonly zone?: Maybe<Scalars["String"]["output"]>;
  /** The public range of the first of `awsZones`. */
  readonly publicCidr?: Maybe<Scalars["String"]["output"]>;
  /** The internal range of the first of `awsZones`. */
  readonly internalCidr?: Maybe<Scalars["String"]["output"]>;
};

export type AwsZone = {
  readonly name?: Maybe<Scalars["String"]["output"]>;
  readonly publicCidr?: Maybe<Scalars["String"]["output"]>;
  readonly internalCidr?: Maybe<Scalars["String"]["output"]>;
  readonly workerCidr?: Maybe<Scalars["String"]["output"]>;
};

export type OpenStackProviderConfig = {
  readonly zones: ReadonlyArray<Scalars["String"]["output"]>;
  readonly floatingPoolName: Scalars["String"]["output"];
  readonly cloudProfileName: Scalars["String"]["output"];
  readonly loadBalancerProvider: Scalars["String"]["output"];
};

export type DnsConfig = {
  readonly domain: Scalars["String"]["output"];
  readonly providers?: Maybe<ReadonlyArray<Maybe<DnsProvider>>>;
};

export type DnsProvider = {
  readonly domainsInclude: ReadonlyArray<Scalars["String"]["output"]>;
  readonly primary: Scalars["Boolean"]["output"];
  readonly secretName: Scalars["String"]["output"];
  readonly type: Scalars["String"]["output"];
};

export type OidcConfig = {
  readonly clientID: Scalars["String"]["output"];
  readonly groupsClaim: Scalars["String"]["output"];
  readonly issuerURL: Scalars["String"]["output"];
  readonly signingAlgs: ReadonlyArray<Scalars["String"]["output"]>;
  readonly usernameClaim: Scalars["String"]["output"];
  readonly usernamePrefix: Scalars["String"]["output"];
};

export type KymaConfig = {
  readonly version?: Maybe<Scalars["String"]["output"]>;
  readonly profile?: Maybe<KymaProfile>;
  readonly components?: Maybe<ReadonlyArray<Maybe<ComponentConfiguration>>>;
  readonly configuration?: Maybe<ReadonlyArray<Maybe<ConfigEntry>>>;
};

export type ComponentConfiguration = {
  readonly component: Scalars["String"]["output"];
  readonly namespace: Scalars["String"]["output"];
  readonly configuration?: Maybe<ReadonlyArray<Maybe<ConfigEntry>>>;
  readonly sourceURL?: Maybe<Scalars["String"]["output"]>;
};

export type ConfigEntry = {
  readonly key: Scalars["String"]["output"];
  /** [secret] where the entry is one. */
  readonly value: Scalars["String"]["output"];
  readonly secret?: Maybe<Scalars["Boolean"]["output"]>;
};

export type ProvisionRuntimeInput = {
  /** How the runtime is registered in the Director. */
  readonly runtimeInput: RuntimeInput;
  readonly clusterConfig: ClusterConfigInput;
  /** Without it, the cluster has no Kyma. */
  readonly kymaConfig?: InputMaybe<KymaConfigInput>;
};

export type RuntimeInput = {
  readonly name: Scalars["String"]["input"];
  readonly description?: InputMaybe<Scalars["String"]["input"]>;
  readonly labels?: InputMaybe<Scalars["Labels"]["input"]>;
};

export type ClusterConfigInput = {
  readonly gardenerConfig: GardenerConfigInput;
  /** Users who get the role cluster-admin in the cluster. */
  readonly administrators?: InputMaybe<ReadonlyArray<Scalars["String"]["input"]>>;
};

export type GardenerConfigInput = {
  /** Name of the cluster. Default: a letter and six more characters of a new UUID. */
  readonly name?: InputMaybe<Scalars["String"]["input"]>;
  readonly kubernetesVersion: Scalars["String"]["input"];
  /** gcp, azure, aws or openstack. */
  readonly provider: Scalars["String"]["input"];
  /** SecretBinding with the credentials for the cloud. */
  readonly targetSecret: Scalars["String"]["input"];
  readonly region: Scalars["String"]["input"];
  readonly machineType: Scalars["String"]["input"];
  readonly machineImage?: InputMaybe<Scalars["String"]["input"]>;
  readonly machineImageVersion?: InputMaybe<Scalars["String"]["input"]>;
  readonly diskType?: InputMaybe<Scalars["String"]["input"]>;
  readonly volumeSizeGB?: InputMaybe<Scalars["Int"]["input"]>;
  /** Range of the nodes. */
  readonly workerCidr: Scalars["String"]["input"];
  readonly podsCidr?: InputMaybe<Scalars["String"]["input"]>;
  readonly servicesCidr?: InputMaybe<Scalars["String"]["input"]>;
  readonly autoScalerMin: Scalars["Int"]["input"];
  readonly autoScalerMax: Scalars["Int"]["input"];
  readonly maxSurge: Scalars["Int"]["input"];
  readonly maxUnavailable: Scalars["Int"]["input"];
  readonly purpose?: InputMaybe<Scalars["String"]["input"]>;
  readonly licenceType?: InputMaybe<Scalars["String"]["input"]>;
  readonly enableKubernetesVersionAutoUpdate?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly enableMachineImageVersionAutoUpdate?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly allowPrivilegedContainers?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly providerSpecificConfig: ProviderSpecificInput;
  readonly dnsConfig?: InputMaybe<DnsConfigInput>;
  /** Seed cluster for the control plane. Default: Gardener chooses. */
  readonly seed?: InputMaybe<Scalars["String"]["input"]>;
  readonly oidcConfig?: InputMaybe<OidcConfigInput>;
  readonly exposureClassName?: InputMaybe<Scalars["String"]["input"]>;
  readonly shootNetworkingFilterDisabled?: InputMaybe<Scalars["Boolean"]["input"]>;
  /** node or zone. Default: a control plane without high availability. */
  readonly controlPlaneFailureTolerance?: InputMaybe<Scalars["String"]["input"]>;
  readonly euAccess?: InputMaybe<Scalars["Boolean"]["input"]>;
  /** Whether the seed has to be in the region of the cluster. */
  readonly shootAndSeedSameRegion?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly workerPools?: InputMaybe<ReadonlyArray<WorkerPoolInput>>;
  readonly hibernationSchedules?: InputMaybe<ReadonlyArray<HibernationScheduleInput>>;
  readonly maintenanceWindow?: InputMaybe<MaintenanceWindowInput>;
};

export type WorkerPoolInput = {
  readonly name: Scalars["String"]["input"];
  readonly machineType: Scalars["String"]["input"];
  readonly machineImage?: InputMaybe<Scalars["String"]["input"]>;
  readonly machineImageVersion?: InputMaybe<Scalars["String"]["input"]>;
  readonly diskType?: InputMaybe<Scalars["String"]["input"]>;
  readonly volumeSizeGB?: InputMaybe<Scalars["Int"]["input"]>;
  readonly autoScalerMin: Scalars["Int"]["input"];
  readonly autoScalerMax: Scalars["Int"]["input"];
  readonly maxSurge?: InputMaybe<Scalars["Int"]["input"]>;
  readonly maxUnavailable?: InputMaybe<Scalars["Int"]["input"]>;
  readonly zones?: InputMaybe<ReadonlyArray<Scalars["String"]["input"]>>;
  readonly labels?: InputMaybe<Scalars["Annotations"]["input"]>;
};

export type HibernationScheduleInput = {
  readonly start?: InputMaybe<Scalars["String"]["input"]>;
  readonly end?: InputMaybe<Scalars["String"]["input"]>;
  readonly location?: InputMaybe<Scalars["String"]["input"]>;
};

export type MaintenanceWindowInput = {
  readonly begin: Scalars["String"]["input"];
  readonly end: Scalars["String"]["input"];
};

export type ProviderSpecificInput = {
  readonly gcpConfig?: InputMaybe<GcpProviderConfigInput>;
  readonly azureConfig?: InputMaybe<AzureProviderConfigInput>;
  readonly awsConfig?: InputMaybe<AwsProviderConfigInput>;
  readonly openStackConfig?: InputMaybe<OpenStackProviderConfigInput>;
};

export type GcpProviderConfigInput = {
  readonly zones: ReadonlyArray<Scalars["String"]["input"]>;
};

export type AzureProviderConfigInput = {
  readonly vnetCidr: Scalars["String"]["input"];
  readonly zones?: InputMaybe<ReadonlyArray<Scalars["String"]["input"]>>;
  /** Zones with a subnet and a NAT gateway of their own. */
  readonly azureZones?: InputMaybe<ReadonlyArray<AzureZoneInput>>;
  readonly enableNatGateway?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly idleConnectionTimeoutMinutes?: InputMaybe<Scalars["Int"]["input"]>;
};

export type AzureZoneInput = {
  readonly name: Scalars["Int"]["input"];
  readonly cidr: Scalars["String"]["input"];
};

export type AwsProviderConfigInput = {
  readonly vpcCidr: Scalars["String"]["input"];
  /** Or `zone`, `publicCidr` and `internalCidr`. */
  readonly awsZones?: InputMaybe<ReadonlyArray<InputMaybe<AwsZoneInput>>>;
  /** Only access by IMDSv2. */
  readonly enableIMDSv2?: InputMaybe<Scalars["Boolean"]["input"]>;
  /** The only zone, whose nodes have the range `workerCidr`. */
  readonly zone?: InputMaybe<Scalars["String"]["input"]>;
  readonly publicCidr?: InputMaybe<Scalars["String"]["input"]>;
  readonly internalCidr?: InputMaybe<Scalars["String"]["input"]>;
};

export type AwsZoneInput = {
  readonly name: Scalars["String"]["input"];
  readonly publicCidr: Scalars["String"]["input"];
  readonly internalCidr: Scalars["String"]["input"];
  readonly workerCidr: Scalars["String"]["input"];
};

export type OpenStackProviderConfigInput = {
  readonly zones: ReadonlyArray<Scalars["String"]["input"]>;
  readonly floatingPoolName?: InputMaybe<Scalars["String"]["input"]>;
  readonly cloudProfileName?: InputMaybe<Scalars["String"]["input"]>;
  readonly loadBalancerProvider: Scalars["String"]["input"];
};

export type DnsConfigInput = {
  readonly domain: Scalars["String"]["input"];
  readonly providers?: InputMaybe<ReadonlyArray<InputMaybe<DnsProviderInput>>>;
};

export type DnsProviderInput = {
  readonly domainsInclude: ReadonlyArray<Scalars["String"]["input"]>;
  readonly primary: Scalars["Boolean"]["input"];
  readonly secretName: Scalars["String"]["input"];
  readonly type: Scalars["String"]["input"];
};

export type OidcConfigInput = {
  readonly clientID: Scalars["String"]["input"];
  readonly groupsClaim: Scalars["String"]["input"];
  readonly issuerURL: Scalars["String"]["input"];
  readonly signingAlgs: ReadonlyArray<Scalars["String"]["input"]>;
  readonly usernameClaim: Scalars["String"]["input"];
  readonly usernamePrefix: Scalars["String"]["input"];
};

export type KymaConfigInput = {
  readonly version: Scalars["String"]["input"];
  readonly profile?: InputMaybe<KymaProfile>;
  readonly components: ReadonlyArray<InputMaybe<ComponentConfigurationInput>>;
  /** Of all components. */
  readonly configuration?: InputMaybe<ReadonlyArray<InputMaybe<ConfigEntryInput>>>;
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ComponentConfigurationInput = {
  readonly component: Scalars["String"]["input"];
  readonly namespace: Scalars["String"]["input"];
  readonly configuration?: InputMaybe<ReadonlyArray<InputMaybe<ConfigEntryInput>>>;
  readonly sourceURL?: InputMaybe<Scalars["String"]["input"]>;
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ConfigEntryInput = {
  readonly key: Scalars["String"]["input"];
  readonly value: Scalars["String"]["input"];
  /** Whether the value is stored and shown as a secret. */
  readonly secret?: InputMaybe<Scalars["Boolean"]["input"]>;
};

export type UpgradeRuntimeInput = {
  readonly kymaConfig: KymaConfigInput;
};

export type UpgradeShootInput = {
  readonly gardenerConfig: GardenerUpgradeInput;
  /** Without it, the administrators stay; an empty list removes them. */
  readonly administrators?: InputMaybe<ReadonlyArray<Scalars["String"]["input"]>>;
};

export type GardenerUpgradeInput = {
  readonly kubernetesVersion?: InputMaybe<Scalars["String"]["input"]>;
  readonly machineType?: InputMaybe<Scalars["String"]["input"]>;
  readonly diskType?: InputMaybe<Scalars["String"]["input"]>;
  readonly volumeSizeGB?: InputMaybe<Scalars["Int"]["input"]>;
  readonly autoScalerMin?: InputMaybe<Scalars["Int"]["input"]>;
  readonly autoScalerMax?: InputMaybe<Scalars["Int"]["input"]>;
  readonly machineImage?: InputMaybe<Scalars["String"]["input"]>;
  readonly machineImageVersion?: InputMaybe<Scalars["String"]["input"]>;
  readonly maxSurge?: InputMaybe<Scalars["Int"]["input"]>;
  readonly maxUnavailable?: InputMaybe<Scalars["Int"]["input"]>;
  readonly purpose?: InputMaybe<Scalars["String"]["input"]>;
  readonly enableKubernetesVersionAutoUpdate?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly enableMachineImageVersionAutoUpdate?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly providerSpecificConfig?: InputMaybe<ProviderSpecificInput>;
  readonly oidcConfig?: InputMaybe<OidcConfigInput>;
  readonly exposureClassName?: InputMaybe<Scalars["String"]["input"]>;
  readonly shootNetworkingFilterDisabled?: InputMaybe<Scalars["Boolean"]["input"]>;
  readonly workerPools?: InputMaybe<ReadonlyArray<WorkerPoolInput>>;
  readonly hibernationSchedules?: InputMaybe<ReadonlyArray<HibernationScheduleInput>>;
  readonly maintenanceWindow?: InputMaybe<MaintenanceWindowInput>;
};

export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<
  TResult,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<
  TResult,
  TKey extends string,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo,
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  obj: T,
  context: TContext,
  info: GraphQLResolveInfo,
) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<
  TResult = Record<PropertyKey, never>,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  ProviderSpecificConfig: GcpProviderConfig | AzureProviderConfig | AwsProviderConfig | OpenStackProviderConfig;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars["DateTime"]["output"]>;
  JSON: ResolverTypeWrapper<Scalars["JSON"]["output"]>;
  Annotations: ResolverTypeWrapper<Scalars["Annotations"]["output"]>;
  Period: ResolverTypeWrapper<Scalars["Period"]["output"]>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars["ID"]["output"]>;
  Int: ResolverTypeWrapper<Scalars["Int"]["output"]>;
  String: ResolverTypeWrapper<Scalars["String"]["output"]>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Boolean: ResolverTypeWrapper<Scalars["Boolean"]["output"]>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  DeploymentPayload: ResolverTypeWrapper<
    Omit<DeploymentPayload, "deployment" | "operation" | "plan"> & {
      deployment?: Maybe<ResolversTypes["Deployment"]>;
      operation?: Maybe<ResolversTypes["Operation"]>;
      plan?: Maybe<ResolversTypes["Plan"]>;
    }
  >;
  DeploymentInput: DeploymentInput;
  Float: ResolverTypeWrapper<Scalars["Float"]["output"]>;
  ResourcesInput: ResourcesInput;
  ClickHouseInput: ClickHouseInput;
  LifetimeInput: LifetimeInput;
  PastOperation: PastOperation;
  PastError: PastError;
  DeploymentFilter: DeploymentFilter;
  TimeRange: TimeRange;
  DeploymentOrder: DeploymentOrder;
  Direction: Direction;
  OperationFilter: OperationFilter;
  NoticeFilter: NoticeFilter;
  KeptDiskFilter: KeptDiskFilter;
  BundleFilter: BundleFilter;
  AuditFilter: AuditFilter;
  DeploymentState: DeploymentState;
  DesiredState: DesiredState;
  OperationKind: OperationKind;
  OperationProgress: OperationProgress;
  EventKind: EventKind;
  ErrorCode: ErrorCode;
  Role: Role;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Node: ResolverTypeWrapper<NodeRow>;
  Deployment: ResolverTypeWrapper<DeploymentRow>;
  DeploymentConfig: ResolverTypeWrapper<ConfigRow>;
  Resources: ResolverTypeWrapper<Resources>;
  ClickHouse: ResolverTypeWrapper<ClickHouse>;
  DeploymentConnection: ResolverTypeWrapper<
    Omit<DeploymentConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["DeploymentEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["Deployment"]>;
    }
  >;
  DeploymentEdge: ResolverTypeWrapper<Omit<DeploymentEdge, "node"> & { node: ResolversTypes["Deployment"] }>;
  Runtime: ResolverTypeWrapper<RuntimeRow>;
  RuntimeConnection: ResolverTypeWrapper<
    Omit<RuntimeConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["RuntimeEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["Runtime"]>;
    }
  >;
  RuntimeEdge: ResolverTypeWrapper<Omit<RuntimeEdge, "node"> & { node: ResolversTypes["Runtime"] }>;
  Operation: ResolverTypeWrapper<OperationRow>;
  Outcome: ResolverTypeWrapper<OutcomeRow>;
  ResourceCount: ResolverTypeWrapper<ResourceCount>;
  OperationConnection: ResolverTypeWrapper<
    Omit<OperationConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["OperationEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["Operation"]>;
    }
  >;
  OperationEdge: ResolverTypeWrapper<Omit<OperationEdge, "node"> & { node: ResolversTypes["Operation"] }>;
  Stage: ResolverTypeWrapper<StageRow>;
  OperationError: ResolverTypeWrapper<OperationError>;
  OperationEvent: ResolverTypeWrapper<EventRow>;
  Plan: ResolverTypeWrapper<PlanRow>;
  PlannedAction: PlannedAction;
  PlannedChange: ResolverTypeWrapper<PlannedChange>;
  PlannedProperty: ResolverTypeWrapper<PlannedProperty>;
  Provisioner: ResolverTypeWrapper<ProvisionerCapacity>;
  Host: ResolverTypeWrapper<Host>;
  AuditEntry: ResolverTypeWrapper<AuditRow>;
  AuditConnection: ResolverTypeWrapper<
    Omit<AuditConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["AuditEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["AuditEntry"]>;
    }
  >;
  AuditEdge: ResolverTypeWrapper<Omit<AuditEdge, "node"> & { node: ResolversTypes["AuditEntry"] }>;
  Me: ResolverTypeWrapper<Me>;
  RolloutState: RolloutState;
  RolloutItemState: RolloutItemState;
  Rollout: ResolverTypeWrapper<RolloutRow>;
  RolloutItem: ResolverTypeWrapper<RolloutItemRow>;
  Drift: ResolverTypeWrapper<DriftRow>;
  Lifetime: ResolverTypeWrapper<LifetimeView>;
  RuntimeContents: ResolverTypeWrapper<ContentsRow>;
  SetCondition: ResolverTypeWrapper<ConditionRow>;
  ObjectStatus: ResolverTypeWrapper<ObjectStatus>;
  ObjectDisk: ResolverTypeWrapper<ObjectDisk>;
  ObjectState: ObjectState;
  ObjectFinding: ResolverTypeWrapper<ObjectFinding>;
  HealthState: HealthState;
  Health: ResolverTypeWrapper<Health>;
  NoticeKind: NoticeKind;
  NoticeLevel: NoticeLevel;
  Notice: ResolverTypeWrapper<Notice>;
  NoticeConnection: ResolverTypeWrapper<NoticeConnection>;
  NoticeEdge: ResolverTypeWrapper<NoticeEdge>;
  OrphanReport: ResolverTypeWrapper<Omit<OrphanReport, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["Orphan"]> }>;
  OrphanKind: OrphanKind;
  Orphan: ResolverTypeWrapper<OrphanRow>;
  KeptDisk: ResolverTypeWrapper<KeptDiskRecord>;
  KeptDiskConnection: ResolverTypeWrapper<
    Omit<KeptDiskConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["KeptDiskEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["KeptDisk"]>;
    }
  >;
  KeptDiskEdge: ResolverTypeWrapper<Omit<KeptDiskEdge, "node"> & { node: ResolversTypes["KeptDisk"] }>;
  DeletedDisks: ResolverTypeWrapper<Omit<DeletedDisks, "disks"> & { disks: ReadonlyArray<ResolversTypes["KeptDisk"]> }>;
  BundleStanding: BundleStanding;
  Bundle: ResolverTypeWrapper<BundleRow>;
  RestoredObject: ResolverTypeWrapper<RestoredObject>;
  BundleConnection: ResolverTypeWrapper<
    Omit<BundleConnection, "edges" | "nodes"> & {
      edges: ReadonlyArray<ResolversTypes["BundleEdge"]>;
      nodes: ReadonlyArray<ResolversTypes["Bundle"]>;
    }
  >;
  BundleEdge: ResolverTypeWrapper<Omit<BundleEdge, "node"> & { node: ResolversTypes["Bundle"] }>;
  Labels: ResolverTypeWrapper<Scalars["Labels"]["output"]>;
  KubeconfigRole: KubeconfigRole;
  RuntimeKubeconfig: ResolverTypeWrapper<RuntimeKubeconfig>;
  OperationType: OperationType;
  OperationState: OperationState;
  RuntimeAgentConnectionStatus: RuntimeAgentConnectionStatus;
  KymaProfile: KymaProfile;
  ConflictStrategy: ConflictStrategy;
  OperationStatus: ResolverTypeWrapper<OperationRow>;
  LastError: ResolverTypeWrapper<LastError>;
  RuntimeStatus: ResolverTypeWrapper<DeploymentRow>;
  RuntimeConnectionStatus: ResolverTypeWrapper<RuntimeConnectionStatus>;
  Error: ResolverTypeWrapper<Error>;
  HibernationStatus: ResolverTypeWrapper<HibernationStatus>;
  RuntimeConfig: ResolverTypeWrapper<DeploymentRow>;
  GardenerConfig: ResolverTypeWrapper<
    Omit<GardenerConfig, "providerSpecificConfig"> & {
      providerSpecificConfig?: Maybe<ResolversTypes["ProviderSpecificConfig"]>;
    }
  >;
  WorkerPool: ResolverTypeWrapper<WorkerPool>;
  HibernationSchedule: ResolverTypeWrapper<HibernationSchedule>;
  MaintenanceWindow: ResolverTypeWrapper<MaintenanceWindow>;
  ProviderSpecificConfig: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>["ProviderSpecificConfig"]>;
  GCPProviderConfig: ResolverTypeWrapper<GcpProviderConfig>;
  AzureProviderConfig: ResolverTypeWrapper<AzureProviderConfig>;
  AzureZone: ResolverTypeWrapper<AzureZone>;
  AWSProviderConfig: ResolverTypeWrapper<AwsProviderConfig>;
  AWSZone: ResolverTypeWrapper<AwsZone>;
  OpenStackProviderConfig: ResolverTypeWrapper<OpenStackProviderConfig>;
  DNSConfig: ResolverTypeWrapper<DnsConfig>;
  DNSProvider: ResolverTypeWrapper<DnsProvider>;
  OIDCConfig: ResolverTypeWrapper<OidcConfig>;
  KymaConfig: ResolverTypeWrapper<KymaConfig>;
  ComponentConfiguration: ResolverTypeWrapper<ComponentConfiguration>;
  ConfigEntry: ResolverTypeWrapper<ConfigEntry>;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  RuntimeInput: RuntimeInput;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  WorkerPoolInput: WorkerPoolInput;
  HibernationScheduleInput: HibernationScheduleInput;
  MaintenanceWindowInput: MaintenanceWindowInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GcpProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AzureZoneInput: AzureZoneInput;
  AWSProviderConfigInput: AwsProviderConfigInput;
  AWSZoneInput: AwsZoneInput;
  OpenStackProviderConfigInput: OpenStackProviderConfigInput;
  DNSConfigInput: DnsConfigInput;
  DNSProviderInput: DnsProviderInput;
  OIDCConfigInput: OidcConfigInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
  UpgradeRuntimeInput: UpgradeRuntimeInput;
  UpgradeShootInput: UpgradeShootInput;
  GardenerUpgradeInput: GardenerUpgradeInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars["DateTime"]["output"];
  JSON: Scalars["JSON"]["output"];
  Annotations: Scalars["Annotations"]["output"];
  Period: Scalars["Period"]["output"];
  Query: Record<PropertyKey, never>;
  ID: Scalars["ID"]["output"];
  Int: Scalars["Int"]["output"];
  String: Scalars["String"]["output"];
  Mutation: Record<PropertyKey, never>;
  Boolean: Scalars["Boolean"]["output"];
  Subscription: Record<PropertyKey, never>;
  DeploymentPayload: Omit<DeploymentPayload, "deployment" | "operation" | "plan"> & {
    deployment?: Maybe<ResolversParentTypes["Deployment"]>;
    operation?: Maybe<ResolversParentTypes["Operation"]>;
    plan?: Maybe<ResolversParentTypes["Plan"]>;
  };
  DeploymentInput: DeploymentInput;
  Float: Scalars["Float"]["output"];
  ResourcesInput: ResourcesInput;
  ClickHouseInput: ClickHouseInput;
  LifetimeInput: LifetimeInput;
  PastOperation: PastOperation;
  PastError: PastError;
  DeploymentFilter: DeploymentFilter;
  TimeRange: TimeRange;
  OperationFilter: OperationFilter;
  NoticeFilter: NoticeFilter;
  KeptDiskFilter: KeptDiskFilter;
  BundleFilter: BundleFilter;
  AuditFilter: AuditFilter;
  PageInfo: PageInfo;
  Node: NodeRow;
  Deployment: DeploymentRow;
  DeploymentConfig: ConfigRow;
  Resources: Resources;
  ClickHouse: ClickHouse;
  DeploymentConnection: Omit<DeploymentConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["DeploymentEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["Deployment"]>;
  };
  DeploymentEdge: Omit<DeploymentEdge, "node"> & { node: ResolversParentTypes["Deployment"] };
  Runtime: RuntimeRow;
  RuntimeConnection: Omit<RuntimeConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["RuntimeEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["Runtime"]>;
  };
  RuntimeEdge: Omit<RuntimeEdge, "node"> & { node: ResolversParentTypes["Runtime"] };
  Operation: OperationRow;
  Outcome: OutcomeRow;
  ResourceCount: ResourceCount;
  OperationConnection: Omit<OperationConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["OperationEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["Operation"]>;
  };
  OperationEdge: Omit<OperationEdge, "node"> & { node: ResolversParentTypes["Operation"] };
  Stage: StageRow;
  OperationError: OperationError;
  OperationEvent: EventRow;
  Plan: PlanRow;
  PlannedChange: PlannedChange;
  PlannedProperty: PlannedProperty;
  Provisioner: ProvisionerCapacity;
  Host: Host;
  AuditEntry: AuditRow;
  AuditConnection: Omit<AuditConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["AuditEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["AuditEntry"]>;
  };
  AuditEdge: Omit<AuditEdge, "node"> & { node: ResolversParentTypes["AuditEntry"] };
  Me: Me;
  Rollout: RolloutRow;
  RolloutItem: RolloutItemRow;
  Drift: DriftRow;
  Lifetime: LifetimeView;
  RuntimeContents: ContentsRow;
  SetCondition: ConditionRow;
  ObjectStatus: ObjectStatus;
  ObjectDisk: ObjectDisk;
  ObjectFinding: ObjectFinding;
  Health: Health;
  Notice: Notice;
  NoticeConnection: NoticeConnection;
  NoticeEdge: NoticeEdge;
  OrphanReport: Omit<OrphanReport, "nodes"> & { nodes: ReadonlyArray<ResolversParentTypes["Orphan"]> };
  Orphan: OrphanRow;
  KeptDisk: KeptDiskRecord;
  KeptDiskConnection: Omit<KeptDiskConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["KeptDiskEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["KeptDisk"]>;
  };
  KeptDiskEdge: Omit<KeptDiskEdge, "node"> & { node: ResolversParentTypes["KeptDisk"] };
  DeletedDisks: Omit<DeletedDisks, "disks"> & { disks: ReadonlyArray<ResolversParentTypes["KeptDisk"]> };
  Bundle: BundleRow;
  RestoredObject: RestoredObject;
  BundleConnection: Omit<BundleConnection, "edges" | "nodes"> & {
    edges: ReadonlyArray<ResolversParentTypes["BundleEdge"]>;
    nodes: ReadonlyArray<ResolversParentTypes["Bundle"]>;
  };
  BundleEdge: Omit<BundleEdge, "node"> & { node: ResolversParentTypes["Bundle"] };
  Labels: Scalars["Labels"]["output"];
  RuntimeKubeconfig: RuntimeKubeconfig;
  OperationStatus: OperationRow;
  LastError: LastError;
  RuntimeStatus: DeploymentRow;
  RuntimeConnectionStatus: RuntimeConnectionStatus;
  Error: Error;
  HibernationStatus: HibernationStatus;
  RuntimeConfig: DeploymentRow;
  GardenerConfig: Omit<GardenerConfig, "providerSpecificConfig"> & {
    providerSpecificConfig?: Maybe<ResolversParentTypes["ProviderSpecificConfig"]>;
  };
  WorkerPool: WorkerPool;
  HibernationSchedule: HibernationSchedule;
  MaintenanceWindow: MaintenanceWindow;
  ProviderSpecificConfig: ResolversUnionTypes<ResolversParentTypes>["ProviderSpecificConfig"];
  GCPProviderConfig: GcpProviderConfig;
  AzureProviderConfig: AzureProviderConfig;
  AzureZone: AzureZone;
  AWSProviderConfig: AwsProviderConfig;
  AWSZone: AwsZone;
  OpenStackProviderConfig: OpenStackProviderConfig;
  DNSConfig: DnsConfig;
  DNSProvider: DnsProvider;
  OIDCConfig: OidcConfig;
  KymaConfig: KymaConfig;
  ComponentConfiguration: ComponentConfiguration;
  ConfigEntry: ConfigEntry;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  RuntimeInput: RuntimeInput;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  WorkerPoolInput: WorkerPoolInput;
  HibernationScheduleInput: HibernationScheduleInput;
  MaintenanceWindowInput: MaintenanceWindowInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GcpProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AzureZoneInput: AzureZoneInput;
  AWSProviderConfigInput: AwsProviderConfigInput;
  AWSZoneInput: AwsZoneInput;
  OpenStackProviderConfigInput: OpenStackProviderConfigInput;
  DNSConfigInput: DnsConfigInput;
  DNSProviderInput: DnsProviderInput;
  OIDCConfigInput: OidcConfigInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
  UpgradeRuntimeInput: UpgradeRuntimeInput;
  UpgradeShootInput: UpgradeShootInput;
  GardenerUpgradeInput: GardenerUpgradeInput;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes["DateTime"], any> {
  name: "DateTime";
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes["JSON"], any> {
  name: "JSON";
}

export interface AnnotationsScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes["Annotations"], any> {
  name: "Annotations";
}

export interface PeriodScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes["Period"], any> {
  name: "Period";
}

export type QueryResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Query"] = ResolversParentTypes["Query"],
> = {
  deployment?: Resolver<
    Maybe<ResolversTypes["Deployment"]>,
    ParentType,
    ContextType,
    RequireFields<QueryDeploymentArgs, "id">
  >;
  deployments?: Resolver<
    ResolversTypes["DeploymentConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryDeploymentsArgs, "first" | "orderBy" | "direction">
  >;
  runtimes?: Resolver<
    ResolversTypes["RuntimeConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryRuntimesArgs, "first" | "orderBy" | "direction">
  >;
  operation?: Resolver<
    Maybe<ResolversTypes["Operation"]>,
    ParentType,
    ContextType,
    RequireFields<QueryOperationArgs, "id">
  >;
  operations?: Resolver<
    ResolversTypes["OperationConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryOperationsArgs, "first" | "direction">
  >;
  provisioners?: Resolver<
    ReadonlyArray<ResolversTypes["Provisioner"]>,
    ParentType,
    ContextType,
    Partial<QueryProvisionersArgs>
  >;
  plan?: Resolver<ResolversTypes["Plan"], ParentType, ContextType, RequireFields<QueryPlanArgs, "id">>;
  audit?: Resolver<
    ResolversTypes["AuditConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryAuditArgs, "first" | "direction">
  >;
  notices?: Resolver<
    ResolversTypes["NoticeConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryNoticesArgs, "first" | "direction">
  >;
  node?: Resolver<Maybe<ResolversTypes["Node"]>, ParentType, ContextType, RequireFields<QueryNodeArgs, "id">>;
  me?: Resolver<ResolversTypes["Me"], ParentType, ContextType>;
  rollout?: Resolver<Maybe<ResolversTypes["Rollout"]>, ParentType, ContextType, RequireFields<QueryRolloutArgs, "id">>;
  rollouts?: Resolver<
    ReadonlyArray<ResolversTypes["Rollout"]>,
    ParentType,
    ContextType,
    RequireFields<QueryRolloutsArgs, "first">
  >;
  keptDisks?: Resolver<
    ResolversTypes["KeptDiskConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryKeptDisksArgs, "first">
  >;
  bundles?: Resolver<
    ResolversTypes["BundleConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryBundlesArgs, "first">
  >;
  orphans?: Resolver<ResolversTypes["OrphanReport"], ParentType, ContextType>;
  runtimeStatus?: Resolver<
    Maybe<ResolversTypes["RuntimeStatus"]>,
    ParentType,
    ContextType,
    RequireFields<QueryRuntimeStatusArgs, "id">
  >;
  runtimeOperationStatus?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<QueryRuntimeOperationStatusArgs, "id">
  >;
  provisionRuntimePlan?: Resolver<
    ResolversTypes["Plan"],
    ParentType,
    ContextType,
    RequireFields<QueryProvisionRuntimePlanArgs, "config">
  >;
  upgradeShootPlan?: Resolver<
    ResolversTypes["Plan"],
    ParentType,
    ContextType,
    RequireFields<QueryUpgradeShootPlanArgs, "id" | "config">
  >;
};

export type MutationResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Mutation"] = ResolversParentTypes["Mutation"],
> = {
  provisionDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationProvisionDeploymentArgs, "id" | "deployment" | "dryRun">
  >;
  updateDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationUpdateDeploymentArgs, "id" | "deployment" | "dryRun">
  >;
  hibernateDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationHibernateDeploymentArgs, "id" | "dryRun">
  >;
  wakeDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationWakeDeploymentArgs, "id" | "dryRun">
  >;
  moveDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationMoveDeploymentArgs, "id" | "dryRun">
  >;
  deprovisionDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationDeprovisionDeploymentArgs, "id" | "dryRun">
  >;
  retryOperation?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationRetryOperationArgs, "id" | "dryRun">
  >;
  cancelOperation?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationCancelOperationArgs, "id" | "dryRun">
  >;
  protectDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationProtectDeploymentArgs, "id" | "dryRun">
  >;
  unprotectDeployment?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationUnprotectDeploymentArgs, "id" | "dryRun">
  >;
  setDeploymentLifetime?: Resolver<
    ResolversTypes["DeploymentPayload"],
    ParentType,
    ContextType,
    RequireFields<MutationSetDeploymentLifetimeArgs, "id" | "lifetime" | "dryRun">
  >;
  touchDeployment?: Resolver<
    ResolversTypes["Deployment"],
    ParentType,
    ContextType,
    RequireFields<MutationTouchDeploymentArgs, "id">
  >;
  refreshPlatform?: Resolver<
    ResolversTypes["Rollout"],
    ParentType,
    ContextType,
    RequireFields<MutationRefreshPlatformArgs, "platform" | "maxFailures" | "dryRun">
  >;
  cancelRollout?: Resolver<
    ResolversTypes["Rollout"],
    ParentType,
    ContextType,
    RequireFields<MutationCancelRolloutArgs, "id">
  >;
  deleteKeptDisks?: Resolver<
    ResolversTypes["DeletedDisks"],
    ParentType,
    ContextType,
    RequireFields<MutationDeleteKeptDisksArgs, "names" | "dryRun">
  >;
  adoptDeployment?: Resolver<
    ResolversTypes["Deployment"],
    ParentType,
    ContextType,
    RequireFields<MutationAdoptDeploymentArgs, "id" | "history">
  >;
  forgetDeployment?: Resolver<
    ResolversTypes["Deployment"],
    ParentType,
    ContextType,
    RequireFields<MutationForgetDeploymentArgs, "id">
  >;
  provisionRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationProvisionRuntimeArgs, "config">
  >;
  reprovisionRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationReprovisionRuntimeArgs, "id">
  >;
  upgradeRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationUpgradeRuntimeArgs, "id" | "config">
  >;
  deprovisionRuntime?: Resolver<
    ResolversTypes["String"],
    ParentType,
    ContextType,
    RequireFields<MutationDeprovisionRuntimeArgs, "id">
  >;
  upgradeShoot?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationUpgradeShootArgs, "id" | "config">
  >;
  hibernateRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationHibernateRuntimeArgs, "id">
  >;
  wakeRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationWakeRuntimeArgs, "id">
  >;
  rollBackUpgradeOperation?: Resolver<
    Maybe<ResolversTypes["RuntimeStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationRollBackUpgradeOperationArgs, "id">
  >;
  rollBackRuntime?: Resolver<
    Maybe<ResolversTypes["OperationStatus"]>,
    ParentType,
    ContextType,
    RequireFields<MutationRollBackRuntimeArgs, "id">
  >;
  issueRuntimeKubeconfig?: Resolver<
    ResolversTypes["RuntimeKubeconfig"],
    ParentType,
    ContextType,
    RequireFields<MutationIssueRuntimeKubeconfigArgs, "id" | "role" | "expirationSeconds">
  >;
  reconnectRuntimeAgent?: Resolver<
    ResolversTypes["String"],
    ParentType,
    ContextType,
    RequireFields<MutationReconnectRuntimeAgentArgs, "id">
  >;
};

export type SubscriptionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Subscription"] = ResolversParentTypes["Subscription"],
> = {
  operationEvents?: SubscriptionResolver<
    ResolversTypes["OperationEvent"],
    "operationEvents",
    ParentType,
    ContextType,
    RequireFields<SubscriptionOperationEventsArgs, "id">
  >;
  operationChanges?: SubscriptionResolver<
    ResolversTypes["Operation"],
    "operationChanges",
    ParentType,
    ContextType,
    Partial<SubscriptionOperationChangesArgs>
  >;
};

export type DeploymentPayloadResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeploymentPayload"] = ResolversParentTypes["DeploymentPayload"],
> = {
  deployment?: Resolver<Maybe<ResolversTypes["Deployment"]>, ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes["Operation"]>, ParentType, ContextType>;
  plan?: Resolver<Maybe<ResolversTypes["Plan"]>, ParentType, ContextType>;
};

export type PageInfoResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["PageInfo"] = ResolversParentTypes["PageInfo"],
> = {
  startCursor?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type NodeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Node"] = ResolversParentTypes["Node"],
> = {
  __resolveType: TypeResolveFn<"Deployment" | "Operation" | "Rollout", ParentType, ContextType>;
};

export type DeploymentResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Deployment"] = ResolversParentTypes["Deployment"],
> = {
  nodeId?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  stack?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  revision?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  desiredState?: Resolver<ResolversTypes["DesiredState"], ParentType, ContextType>;
  protected?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
  desiredConfig?: Resolver<ResolversTypes["JSON"], ParentType, ContextType>;
  config?: Resolver<ResolversTypes["DeploymentConfig"], ParentType, ContextType>;
  wish?: Resolver<ResolversTypes["JSON"], ParentType, ContextType>;
  platform?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  runtime?: Resolver<Maybe<ResolversTypes["Runtime"]>, ParentType, ContextType>;
  currentOperation?: Resolver<Maybe<ResolversTypes["Operation"]>, ParentType, ContextType>;
  lastOperation?: Resolver<Maybe<ResolversTypes["Operation"]>, ParentType, ContextType>;
  operations?: Resolver<
    ResolversTypes["OperationConnection"],
    ParentType,
    ContextType,
    RequireFields<DeploymentOperationsArgs, "first">
  >;
  drift?: Resolver<Maybe<ResolversTypes["Drift"]>, ParentType, ContextType>;
  health?: Resolver<Maybe<ResolversTypes["Health"]>, ParentType, ContextType>;
  lifetime?: Resolver<Maybe<ResolversTypes["Lifetime"]>, ParentType, ContextType>;
  outdated?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  contents?: Resolver<Maybe<ResolversTypes["RuntimeContents"]>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  deletedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DeploymentConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeploymentConfig"] = ResolversParentTypes["DeploymentConfig"],
> = {
  slots?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  environment?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  diskGb?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  annotations?: Resolver<Maybe<ResolversTypes["Annotations"]>, ParentType, ContextType>;
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  resources?: Resolver<Maybe<ResolversTypes["Resources"]>, ParentType, ContextType>;
  cluster?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  kyma?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  runtime?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes["DeploymentState"]>, ParentType, ContextType>;
};

export type ResourcesResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Resources"] = ResolversParentTypes["Resources"],
> = {
  clickhouse?: Resolver<Maybe<ResolversTypes["ClickHouse"]>, ParentType, ContextType>;
};

export type ClickHouseResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ClickHouse"] = ResolversParentTypes["ClickHouse"],
> = {
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  passwordVersion?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
};

export type DeploymentConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeploymentConnection"] = ResolversParentTypes["DeploymentConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["DeploymentEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Deployment"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type DeploymentEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeploymentEdge"] = ResolversParentTypes["DeploymentEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["Deployment"], ParentType, ContextType>;
};

export type RuntimeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Runtime"] = ResolversParentTypes["Runtime"],
> = {
  deployment?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  host?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  audienceUrl?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  cpu?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  memoryGb?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  storageBytes?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  dataDir?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes["DeploymentState"]>, ParentType, ContextType>;
};

export type RuntimeConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeConnection"] = ResolversParentTypes["RuntimeConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["RuntimeEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Runtime"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type RuntimeEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeEdge"] = ResolversParentTypes["RuntimeEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["Runtime"], ParentType, ContextType>;
};

export type OperationResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Operation"] = ResolversParentTypes["Operation"],
> = {
  nodeId?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  deployment?: Resolver<Maybe<ResolversTypes["Deployment"]>, ParentType, ContextType>;
  deploymentId?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes["OperationKind"], ParentType, ContextType>;
  state?: Resolver<ResolversTypes["OperationProgress"], ParentType, ContextType>;
  stage?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  stages?: Resolver<ReadonlyArray<ResolversTypes["Stage"]>, ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes["OperationError"]>, ParentType, ContextType>;
  change?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  config?: Resolver<ResolversTypes["DeploymentConfig"], ParentType, ContextType>;
  revision?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  result?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes["Outcome"]>, ParentType, ContextType>;
  requestedBy?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  deadlineAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  cancelRequestedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  retryOf?: Resolver<Maybe<ResolversTypes["ID"]>, ParentType, ContextType>;
  replacedBy?: Resolver<Maybe<ResolversTypes["ID"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OutcomeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Outcome"] = ResolversParentTypes["Outcome"],
> = {
  changes?: Resolver<ReadonlyArray<ResolversTypes["ResourceCount"]>, ParentType, ContextType>;
  notes?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  runtime?: Resolver<Maybe<ResolversTypes["Runtime"]>, ParentType, ContextType>;
};

export type ResourceCountResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ResourceCount"] = ResolversParentTypes["ResourceCount"],
> = {
  action?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  count?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type OperationConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationConnection"] = ResolversParentTypes["OperationConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["OperationEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Operation"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type OperationEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationEdge"] = ResolversParentTypes["OperationEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["Operation"], ParentType, ContextType>;
};

export type StageResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Stage"] = ResolversParentTypes["Stage"],
> = {
  number?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  name?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  state?: Resolver<ResolversTypes["OperationProgress"], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes["OperationError"]>, ParentType, ContextType>;
};

export type OperationErrorResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationError"] = ResolversParentTypes["OperationError"],
> = {
  code?: Resolver<ResolversTypes["ErrorCode"], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  component?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  path?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  advice?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  retryable?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
};

export type OperationEventResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationEvent"] = ResolversParentTypes["OperationEvent"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  operation?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  at?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes["EventKind"], ParentType, ContextType>;
  text?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  data?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
};

export type PlanResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Plan"] = ResolversParentTypes["Plan"],
> = {
  deployment?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes["OperationKind"], ParentType, ContextType>;
  changes?: Resolver<ReadonlyArray<ResolversTypes["PlannedChange"]>, ParentType, ContextType>;
  notes?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  outputs?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  lifetime?: Resolver<Maybe<ResolversTypes["Lifetime"]>, ParentType, ContextType>;
};

export type PlannedChangeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["PlannedChange"] = ResolversParentTypes["PlannedChange"],
> = {
  action?: Resolver<ResolversTypes["PlannedAction"], ParentType, ContextType>;
  type?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  name?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  urn?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  properties?: Resolver<ReadonlyArray<ResolversTypes["PlannedProperty"]>, ParentType, ContextType>;
};

export type PlannedPropertyResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["PlannedProperty"] = ResolversParentTypes["PlannedProperty"],
> = {
  path?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
};

export type ProvisionerResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Provisioner"] = ResolversParentTypes["Provisioner"],
> = {
  platform?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  name?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  type?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  isDefault?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
  environments?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  runtimes?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  slotsTotal?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  slotsUsed?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  slotsFree?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  hosts?: Resolver<ReadonlyArray<ResolversTypes["Host"]>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type HostResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Host"] = ResolversParentTypes["Host"],
> = {
  host?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  slots?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  used?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  free?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  drain?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type AuditEntryResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AuditEntry"] = ResolversParentTypes["AuditEntry"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  at?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  actor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  action?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  target?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  details?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
};

export type AuditConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AuditConnection"] = ResolversParentTypes["AuditConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["AuditEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["AuditEntry"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type AuditEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AuditEdge"] = ResolversParentTypes["AuditEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["AuditEntry"], ParentType, ContextType>;
};

export type MeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Me"] = ResolversParentTypes["Me"],
> = {
  actor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  tenant?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  role?: Resolver<ResolversTypes["Role"], ParentType, ContextType>;
  allTenants?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type RolloutResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Rollout"] = ResolversParentTypes["Rollout"],
> = {
  nodeId?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  platform?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes["RolloutState"], ParentType, ContextType>;
  message?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  waves?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  maxFailures?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  dryRun?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes["RolloutItem"]>, ParentType, ContextType>;
  requestedBy?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RolloutItemResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RolloutItem"] = ResolversParentTypes["RolloutItem"],
> = {
  deploymentId?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  state?: Resolver<ResolversTypes["RolloutItemState"], ParentType, ContextType>;
  wave?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  changes?: Resolver<ReadonlyArray<ResolversTypes["PlannedChange"]>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  operationId?: Resolver<Maybe<ResolversTypes["ID"]>, ParentType, ContextType>;
};

export type DriftResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Drift"] = ResolversParentTypes["Drift"],
> = {
  checkedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  changes?: Resolver<ReadonlyArray<ResolversTypes["PlannedChange"]>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  repairOperationId?: Resolver<Maybe<ResolversTypes["ID"]>, ParentType, ContextType>;
};

export type LifetimeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Lifetime"] = ResolversParentTypes["Lifetime"],
> = {
  timeToLive?: Resolver<Maybe<ResolversTypes["Period"]>, ParentType, ContextType>;
  idleLimit?: Resolver<Maybe<ResolversTypes["Period"]>, ParentType, ContextType>;
  stoppedRetention?: Resolver<Maybe<ResolversTypes["Period"]>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  idleSince?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  hibernatesAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  deletesAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  announcedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
};

export type RuntimeContentsResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeContents"] = ResolversParentTypes["RuntimeContents"],
> = {
  consistsOf?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  conditions?: Resolver<ReadonlyArray<ResolversTypes["SetCondition"]>, ParentType, ContextType>;
};

export type SetConditionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["SetCondition"] = ResolversParentTypes["SetCondition"],
> = {
  objects?: Resolver<Maybe<ReadonlyArray<ResolversTypes["ObjectStatus"]>>, ParentType, ContextType>;
  elsewhere?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  unknown?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type ObjectStatusResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ObjectStatus"] = ResolversParentTypes["ObjectStatus"],
> = {
  object?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  state?: Resolver<ResolversTypes["ObjectState"], ParentType, ContextType>;
  detail?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  lines?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  disks?: Resolver<ReadonlyArray<ResolversTypes["ObjectDisk"]>, ParentType, ContextType>;
  findings?: Resolver<ReadonlyArray<ResolversTypes["ObjectFinding"]>, ParentType, ContextType>;
};

export type ObjectDiskResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ObjectDisk"] = ResolversParentTypes["ObjectDisk"],
> = {
  claim?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  bytes?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  goes?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type ObjectFindingResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ObjectFinding"] = ResolversParentTypes["ObjectFinding"],
> = {
  kind?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  object?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  text?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  repairable?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type HealthResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Health"] = ResolversParentTypes["Health"],
> = {
  state?: Resolver<ResolversTypes["HealthState"], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  checkedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
};

export type NoticeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Notice"] = ResolversParentTypes["Notice"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  at?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes["NoticeKind"], ParentType, ContextType>;
  level?: Resolver<ResolversTypes["NoticeLevel"], ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  subject?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  text?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type NoticeConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["NoticeConnection"] = ResolversParentTypes["NoticeConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["NoticeEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Notice"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type NoticeEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["NoticeEdge"] = ResolversParentTypes["NoticeEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["Notice"], ParentType, ContextType>;
};

export type OrphanReportResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OrphanReport"] = ResolversParentTypes["OrphanReport"],
> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Orphan"]>, ParentType, ContextType>;
  unseen?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type OrphanResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Orphan"] = ResolversParentTypes["Orphan"],
> = {
  kind?: Resolver<ResolversTypes["OrphanKind"], ParentType, ContextType>;
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  parts?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type KeptDiskResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["KeptDisk"] = ResolversParentTypes["KeptDisk"],
> = {
  name?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  deployment?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  platform?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  provisioner?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  gib?: Resolver<ResolversTypes["Float"], ParentType, ContextType>;
  keptAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
};

export type KeptDiskConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["KeptDiskConnection"] = ResolversParentTypes["KeptDiskConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["KeptDiskEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["KeptDisk"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  totalGib?: Resolver<ResolversTypes["Float"], ParentType, ContextType>;
  unseen?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type KeptDiskEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["KeptDiskEdge"] = ResolversParentTypes["KeptDiskEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["KeptDisk"], ParentType, ContextType>;
};

export type DeletedDisksResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeletedDisks"] = ResolversParentTypes["DeletedDisks"],
> = {
  disks?: Resolver<ReadonlyArray<ResolversTypes["KeptDisk"]>, ParentType, ContextType>;
  totalGib?: Resolver<ResolversTypes["Float"], ParentType, ContextType>;
};

export type BundleResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Bundle"] = ResolversParentTypes["Bundle"],
> = {
  platform?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  name?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  urn?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  everySeconds?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  standing?: Resolver<Maybe<ResolversTypes["BundleStanding"]>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  checkedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  nextAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  streak?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  repairs?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  restored?: Resolver<ReadonlyArray<ResolversTypes["RestoredObject"]>, ParentType, ContextType>;
  restoredAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  managers?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type RestoredObjectResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RestoredObject"] = ResolversParentTypes["RestoredObject"],
> = {
  object?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  text?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type BundleConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["BundleConnection"] = ResolversParentTypes["BundleConnection"],
> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes["BundleEdge"]>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Bundle"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type BundleEdgeResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["BundleEdge"] = ResolversParentTypes["BundleEdge"],
> = {
  cursor?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  node?: Resolver<ResolversTypes["Bundle"], ParentType, ContextType>;
};

export interface LabelsScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes["Labels"], any> {
  name: "Labels";
}

export type RuntimeKubeconfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeKubeconfig"] = ResolversParentTypes["RuntimeKubeconfig"],
> = {
  kubeconfig?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  role?: Resolver<ResolversTypes["KubeconfigRole"], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
};

export type OperationStatusResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationStatus"] = ResolversParentTypes["OperationStatus"],
> = {
  id?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  operation?: Resolver<ResolversTypes["OperationType"], ParentType, ContextType>;
  state?: Resolver<ResolversTypes["OperationState"], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  runtimeID?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  compassRuntimeID?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes["LastError"]>, ParentType, ContextType>;
};

export type LastErrorResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["LastError"] = ResolversParentTypes["LastError"],
> = {
  errMessage?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  component?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type RuntimeStatusResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeStatus"] = ResolversParentTypes["RuntimeStatus"],
> = {
  lastOperationStatus?: Resolver<Maybe<ResolversTypes["OperationStatus"]>, ParentType, ContextType>;
  runtimeConnectionStatus?: Resolver<Maybe<ResolversTypes["RuntimeConnectionStatus"]>, ParentType, ContextType>;
  runtimeConfiguration?: Resolver<Maybe<ResolversTypes["RuntimeConfig"]>, ParentType, ContextType>;
  hibernationStatus?: Resolver<Maybe<ResolversTypes["HibernationStatus"]>, ParentType, ContextType>;
};

export type RuntimeConnectionStatusResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeConnectionStatus"] = ResolversParentTypes["RuntimeConnectionStatus"],
> = {
  status?: Resolver<ResolversTypes["RuntimeAgentConnectionStatus"], ParentType, ContextType>;
  errors?: Resolver<Maybe<ReadonlyArray<ResolversTypes["Error"]>>, ParentType, ContextType>;
};

export type ErrorResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Error"] = ResolversParentTypes["Error"],
> = {
  message?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type HibernationStatusResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["HibernationStatus"] = ResolversParentTypes["HibernationStatus"],
> = {
  hibernated?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  hibernationPossible?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
};

export type RuntimeConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["RuntimeConfig"] = ResolversParentTypes["RuntimeConfig"],
> = {
  clusterConfig?: Resolver<Maybe<ResolversTypes["GardenerConfig"]>, ParentType, ContextType>;
  kymaConfig?: Resolver<Maybe<ResolversTypes["KymaConfig"]>, ParentType, ContextType>;
  kubeconfig?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type GardenerConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["GardenerConfig"] = ResolversParentTypes["GardenerConfig"],
> = {
  name?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  kubernetesVersion?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  targetSecret?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  region?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  seed?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  machineType?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  machineImage?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  machineImageVersion?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  diskType?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  volumeSizeGB?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  workerCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  podsCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  servicesCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  autoScalerMin?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  autoScalerMax?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  maxSurge?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  maxUnavailable?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  purpose?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  licenceType?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  enableKubernetesVersionAutoUpdate?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  enableMachineImageVersionAutoUpdate?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  allowPrivilegedContainers?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  providerSpecificConfig?: Resolver<Maybe<ResolversTypes["ProviderSpecificConfig"]>, ParentType, ContextType>;
  dnsConfig?: Resolver<Maybe<ResolversTypes["DNSConfig"]>, ParentType, ContextType>;
  oidcConfig?: Resolver<Maybe<ResolversTypes["OIDCConfig"]>, ParentType, ContextType>;
  exposureClassName?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  shootNetworkingFilterDisabled?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  controlPlaneFailureTolerance?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  euAccess?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  workerPools?: Resolver<Maybe<ReadonlyArray<ResolversTypes["WorkerPool"]>>, ParentType, ContextType>;
  hibernationSchedules?: Resolver<Maybe<ReadonlyArray<ResolversTypes["HibernationSchedule"]>>, ParentType, ContextType>;
  maintenanceWindow?: Resolver<Maybe<ResolversTypes["MaintenanceWindow"]>, ParentType, ContextType>;
  administrators?: Resolver<Maybe<ReadonlyArray<ResolversTypes["String"]>>, ParentType, ContextType>;
};

export type WorkerPoolResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["WorkerPool"] = ResolversParentTypes["WorkerPool"],
> = {
  name?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  machineType?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  machineImage?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  machineImageVersion?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  diskType?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  volumeSizeGB?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  autoScalerMin?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  autoScalerMax?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  maxSurge?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  maxUnavailable?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  zones?: Resolver<Maybe<ReadonlyArray<ResolversTypes["String"]>>, ParentType, ContextType>;
  labels?: Resolver<Maybe<ResolversTypes["Annotations"]>, ParentType, ContextType>;
};

export type HibernationScheduleResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["HibernationSchedule"] = ResolversParentTypes["HibernationSchedule"],
> = {
  start?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  end?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type MaintenanceWindowResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["MaintenanceWindow"] = ResolversParentTypes["MaintenanceWindow"],
> = {
  begin?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  end?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type ProviderSpecificConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ProviderSpecificConfig"] = ResolversParentTypes["ProviderSpecificConfig"],
> = {
  __resolveType: TypeResolveFn<
    "GCPProviderConfig" | "AzureProviderConfig" | "AWSProviderConfig" | "OpenStackProviderConfig",
    ParentType,
    ContextType
  >;
};

export type GcpProviderConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["GCPProviderConfig"] = ResolversParentTypes["GCPProviderConfig"],
> = {
  zones?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AzureProviderConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AzureProviderConfig"] = ResolversParentTypes["AzureProviderConfig"],
> = {
  vnetCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  zones?: Resolver<Maybe<ReadonlyArray<ResolversTypes["String"]>>, ParentType, ContextType>;
  azureZones?: Resolver<Maybe<ReadonlyArray<ResolversTypes["AzureZone"]>>, ParentType, ContextType>;
  enableNatGateway?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  idleConnectionTimeoutMinutes?: Resolver<Maybe<ResolversTypes["Int"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AzureZoneResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AzureZone"] = ResolversParentTypes["AzureZone"],
> = {
  name?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  cidr?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type AwsProviderConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AWSProviderConfig"] = ResolversParentTypes["AWSProviderConfig"],
> = {
  awsZones?: Resolver<ReadonlyArray<Maybe<ResolversTypes["AWSZone"]>>, ParentType, ContextType>;
  vpcCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  enableIMDSv2?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
  zone?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  publicCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  internalCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AwsZoneResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["AWSZone"] = ResolversParentTypes["AWSZone"],
> = {
  name?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  publicCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  internalCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  workerCidr?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type OpenStackProviderConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OpenStackProviderConfig"] = ResolversParentTypes["OpenStackProviderConfig"],
> = {
  zones?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  floatingPoolName?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  cloudProfileName?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  loadBalancerProvider?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DnsConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DNSConfig"] = ResolversParentTypes["DNSConfig"],
> = {
  domain?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  providers?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes["DNSProvider"]>>>, ParentType, ContextType>;
};

export type DnsProviderResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DNSProvider"] = ResolversParentTypes["DNSProvider"],
> = {
  domainsInclude?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  primary?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
  secretName?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  type?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type OidcConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OIDCConfig"] = ResolversParentTypes["OIDCConfig"],
> = {
  clientID?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  groupsClaim?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  issuerURL?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  signingAlgs?: Resolver<ReadonlyArray<ResolversTypes["String"]>, ParentType, ContextType>;
  usernameClaim?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  usernamePrefix?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
};

export type KymaConfigResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["KymaConfig"] = ResolversParentTypes["KymaConfig"],
> = {
  version?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  profile?: Resolver<Maybe<ResolversTypes["KymaProfile"]>, ParentType, ContextType>;
  components?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes["ComponentConfiguration"]>>>, ParentType, ContextType>;
  configuration?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes["ConfigEntry"]>>>, ParentType, ContextType>;
};

export type ComponentConfigurationResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ComponentConfiguration"] = ResolversParentTypes["ComponentConfiguration"],
> = {
  component?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  namespace?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  configuration?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes["ConfigEntry"]>>>, ParentType, ContextType>;
  sourceURL?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
};

export type ConfigEntryResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["ConfigEntry"] = ResolversParentTypes["ConfigEntry"],
> = {
  key?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  value?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes["Boolean"]>, ParentType, ContextType>;
};

export type Resolvers<ContextType = ApiContext> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Annotations?: GraphQLScalarType;
  Period?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  DeploymentPayload?: DeploymentPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  Deployment?: DeploymentResolvers<ContextType>;
  DeploymentConfig?: DeploymentConfigResolvers<ContextType>;
  Resources?: ResourcesResolvers<ContextType>;
  ClickHouse?: ClickHouseResolvers<ContextType>;
  DeploymentConnection?: DeploymentConnectionResolvers<ContextType>;
  DeploymentEdge?: DeploymentEdgeResolvers<ContextType>;
  Runtime?: RuntimeResolvers<ContextType>;
  RuntimeConnection?: RuntimeConnectionResolvers<ContextType>;
  RuntimeEdge?: RuntimeEdgeResolvers<ContextType>;
  Operation?: OperationResolvers<ContextType>;
  Outcome?: OutcomeResolvers<ContextType>;
  ResourceCount?: ResourceCountResolvers<ContextType>;
  OperationConnection?: OperationConnectionResolvers<ContextType>;
  OperationEdge?: OperationEdgeResolvers<ContextType>;
  Stage?: StageResolvers<ContextType>;
  OperationError?: OperationErrorResolvers<ContextType>;
  OperationEvent?: OperationEventResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  PlannedChange?: PlannedChangeResolvers<ContextType>;
  PlannedProperty?: PlannedPropertyResolvers<ContextType>;
  Provisioner?: ProvisionerResolvers<ContextType>;
  Host?: HostResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  AuditConnection?: AuditConnectionResolvers<ContextType>;
  AuditEdge?: AuditEdgeResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  Rollout?: RolloutResolvers<ContextType>;
  RolloutItem?: RolloutItemResolvers<ContextType>;
  Drift?: DriftResolvers<ContextType>;
  Lifetime?: LifetimeResolvers<ContextType>;
  RuntimeContents?: RuntimeContentsResolvers<ContextType>;
  SetCondition?: SetConditionResolvers<ContextType>;
  ObjectStatus?: ObjectStatusResolvers<ContextType>;
  ObjectDisk?: ObjectDiskResolvers<ContextType>;
  ObjectFinding?: ObjectFindingResolvers<ContextType>;
  Health?: HealthResolvers<ContextType>;
  Notice?: NoticeResolvers<ContextType>;
  NoticeConnection?: NoticeConnectionResolvers<ContextType>;
  NoticeEdge?: NoticeEdgeResolvers<ContextType>;
  OrphanReport?: OrphanReportResolvers<ContextType>;
  Orphan?: OrphanResolvers<ContextType>;
  KeptDisk?: KeptDiskResolvers<ContextType>;
  KeptDiskConnection?: KeptDiskConnectionResolvers<ContextType>;
  KeptDiskEdge?: KeptDiskEdgeResolvers<ContextType>;
  DeletedDisks?: DeletedDisksResolvers<ContextType>;
  Bundle?: BundleResolvers<ContextType>;
  RestoredObject?: RestoredObjectResolvers<ContextType>;
  BundleConnection?: BundleConnectionResolvers<ContextType>;
  BundleEdge?: BundleEdgeResolvers<ContextType>;
  Labels?: GraphQLScalarType;
  RuntimeKubeconfig?: RuntimeKubeconfigResolvers<ContextType>;
  OperationStatus?: OperationStatusResolvers<ContextType>;
  LastError?: LastErrorResolvers<ContextType>;
  RuntimeStatus?: RuntimeStatusResolvers<ContextType>;
  RuntimeConnectionStatus?: RuntimeConnectionStatusResolvers<ContextType>;
  Error?: ErrorResolvers<ContextType>;
  HibernationStatus?: HibernationStatusResolvers<ContextType>;
  RuntimeConfig?: RuntimeConfigResolvers<ContextType>;
  GardenerConfig?: GardenerConfigResolvers<ContextType>;
  WorkerPool?: WorkerPoolResolvers<ContextType>;
  HibernationSchedule?: HibernationScheduleResolvers<ContextType>;
  MaintenanceWindow?: MaintenanceWindowResolvers<ContextType>;
  ProviderSpecificConfig?: ProviderSpecificConfigResolvers<ContextType>;
  GCPProviderConfig?: GcpProviderConfigResolvers<ContextType>;
  AzureProviderConfig?: AzureProviderConfigResolvers<ContextType>;
  AzureZone?: AzureZoneResolvers<ContextType>;
  AWSProviderConfig?: AwsProviderConfigResolvers<ContextType>;
  AWSZone?: AwsZoneResolvers<ContextType>;
  OpenStackProviderConfig?: OpenStackProviderConfigResolvers<ContextType>;
  DNSConfig?: DnsConfigResolvers<ContextType>;
  DNSProvider?: DnsProviderResolvers<ContextType>;
  OIDCConfig?: OidcConfigResolvers<ContextType>;
  KymaConfig?: KymaConfigResolvers<ContextType>;
  ComponentConfiguration?: ComponentConfigurationResolvers<ContextType>;
  ConfigEntry?: ConfigEntryResolvers<ContextType>;
};

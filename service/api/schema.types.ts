/* eslint-disable */
// Generated from service/api/schema.graphql by `npm run generate`; a test keeps it true.
import type {
  DeploymentRow,
  OperationRow,
  StageRow,
  EventRow,
  AuditRow,
  RolloutRow,
  RolloutItemRow,
  DriftRow,
} from "../database/tables";
import type { Orphan as OrphanRow } from "../orphans";
import type { Plan as PlanRow, ProvisionerCapacity } from "./backend";
import type { ApiContext } from "./context";
import type { RuntimeRow } from "./rows";
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
  /** A point in time as RFC 3339 writes it, in UTC. */
  DateTime: { input: Date; output: Date | string };
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown };
  /** An object of texts, such as `{"team": "data"}`. In a change, an empty text removes a key. */
  Annotations: { input: Readonly<Record<string, string>>; output: Readonly<Record<string, string>> };
};

export type Query = {
  /** One deployment; null where the tenant has none of this id. */
  readonly deployment?: Maybe<Deployment>;
  /** The tenant's deployments by id. */
  readonly deployments: DeploymentConnection;
  /** The runtimes that deployments have now: what a person or a product can connect to. Ordered as deployments are. */
  readonly runtimes: RuntimeConnection;
  /** One operation; null where the tenant has none of this id. */
  readonly operation?: Maybe<Operation>;
  /** The tenant's operations, newest first. */
  readonly operations: OperationConnection;
  /** The provisioners of a platform with what is used and what is free. */
  readonly provisioners: ReadonlyArray<Provisioner>;
  /** What applying a deployment's request again would change: an empty plan where it is as it was asked for. Changes nothing. */
  readonly plan: Plan;
  /** Who asked for what, when, from where, and what came of it; newest first. For administrators. */
  readonly audit: AuditConnection;
  /** Who calls, as the service understands the request. */
  readonly me: Me;
  /** One rollout of a platform's changes; null where the tenant has none of this id. */
  readonly rollout?: Maybe<Rollout>;
  /** The tenant's last rollouts, newest first. */
  readonly rollouts: ReadonlyArray<Rollout>;
  /** Stacks without a deployment, deployments without a stack, and parts without either. For administrators of all tenants. */
  readonly orphans: OrphanReport;
};

export type QueryDeploymentArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryDeploymentsArgs = {
  filter?: InputMaybe<DeploymentFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
};

export type QueryRuntimesArgs = {
  filter?: InputMaybe<DeploymentFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
};

export type QueryOperationArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryOperationsArgs = {
  filter?: InputMaybe<OperationFilter>;
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
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
};

export type QueryRolloutArgs = {
  id: Scalars["ID"]["input"];
};

export type QueryRolloutsArgs = {
  first?: InputMaybe<Scalars["Int"]["input"]>;
};

export type Mutation = {
  /** Gives a new deployment its runtime. */
  readonly provisionDeployment: DeploymentPayload;
  /** Changes what a deployment is asked for. What is not given stays as it is. */
  readonly updateDeployment: DeploymentPayload;
  /** Stops the runtime and keeps its disk or slots. */
  readonly hibernateDeployment: DeploymentPayload;
  /** Starts a hibernated runtime again, with its disk. */
  readonly wakeDeployment: DeploymentPayload;
  /** Moves the runtime to another provisioner, or, without one, to another place within its own. Data is not moved along. */
  readonly moveDeployment: DeploymentPayload;
  /** Removes the runtime and all that it has. Refused while the deployment is protected. */
  readonly deprovisionDeployment: DeploymentPayload;
  /** Runs a failed or canceled operation again. */
  readonly retryOperation: DeploymentPayload;
  /** Ends an operation that waits or is in progress. What it has done by then stays. */
  readonly cancelOperation: DeploymentPayload;
  /** Protects a deployment against being deprovisioned. */
  readonly protectDeployment: DeploymentPayload;
  /** Takes that protection away. */
  readonly unprotectDeployment: DeploymentPayload;
  /** Applies what a platform stack says now to its deployments, in waves. With `dryRun`, only finds out what would change. */
  readonly refreshPlatform: Rollout;
  /** Begins no other operation of a rollout; those in progress go on. */
  readonly cancelRollout: Rollout;
  /** Makes a stack that the service does not know a deployment of the tenant; changes nothing in it. For administrators of all tenants. */
  readonly adoptDeployment: Deployment;
  /** Removes a deployment that has no stack any more. For administrators of all tenants. */
  readonly forgetDeployment: Deployment;
};

export type MutationProvisionDeploymentArgs = {
  id: Scalars["ID"]["input"];
  deployment: DeploymentInput;
  platform?: InputMaybe<Scalars["String"]["input"]>;
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

export type MutationRefreshPlatformArgs = {
  platform: Scalars["String"]["input"];
  waves?: InputMaybe<Scalars["String"]["input"]>;
  maxFailures?: Scalars["Int"]["input"];
  dryRun?: Scalars["Boolean"]["input"];
};

export type MutationCancelRolloutArgs = {
  id: Scalars["ID"]["input"];
};

export type MutationAdoptDeploymentArgs = {
  id: Scalars["ID"]["input"];
};

export type MutationForgetDeploymentArgs = {
  id: Scalars["ID"]["input"];
};

export type Subscription = {
  /** What happens in an operation: first what has happened since `after`, then each event as it comes. Ends with the operation. */
  readonly operationEvents: OperationEvent;
};

export type SubscriptionOperationEventsArgs = {
  id: Scalars["ID"]["input"];
  after?: InputMaybe<Scalars["ID"]["input"]>;
};

/** What a mutation answers: the operation that carries the request out, or with `dryRun` the plan. */
export type DeploymentPayload = {
  readonly deployment?: Maybe<Deployment>;
  readonly operation?: Maybe<Operation>;
  readonly plan?: Maybe<Plan>;
};

/** What a deployment is asked for, in the words of its stack file and of `stackyard runtime up`. */
export type DeploymentInput = {
  /** Size in slots. New: 1. */
  readonly slots?: InputMaybe<Scalars["Int"]["input"]>;
  /** Image tag of the runtime; a new deployment needs one. */
  readonly version?: InputMaybe<Scalars["String"]["input"]>;
  /** Environment, which may choose the provisioner. New: prod. */
  readonly environment?: InputMaybe<Scalars["String"]["input"]>;
  /** Disk in GiB instead of what the slots give. */
  readonly diskGb?: InputMaybe<Scalars["Float"]["input"]>;
  readonly annotations?: InputMaybe<Scalars["Annotations"]["input"]>;
  /** Provisioner by name instead of the environment's or the default one. */
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  readonly resources?: InputMaybe<ResourcesInput>;
  readonly state?: InputMaybe<DeploymentState>;
};

/** What a deployment gets besides its runtime; an empty object for nothing. */
export type ResourcesInput = {
  readonly clickhouse?: InputMaybe<ClickHouseInput>;
};

/** A ClickHouse database; an empty object for the platform's default one. */
export type ClickHouseInput = {
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  /** Another number gives this deployment another password. */
  readonly passwordVersion?: InputMaybe<Scalars["Int"]["input"]>;
};

export type DeploymentFilter = {
  /** Part of the id. */
  readonly id?: InputMaybe<Scalars["String"]["input"]>;
  readonly desiredState?: InputMaybe<ReadonlyArray<DesiredState>>;
  readonly provisioner?: InputMaybe<Scalars["String"]["input"]>;
  readonly environment?: InputMaybe<Scalars["String"]["input"]>;
  /** Those that were deprovisioned too. Default: only those that are there. */
  readonly deleted?: InputMaybe<Scalars["Boolean"]["input"]>;
};

export type OperationFilter = {
  readonly deployment?: InputMaybe<Scalars["ID"]["input"]>;
  readonly kind?: InputMaybe<ReadonlyArray<OperationKind>>;
  readonly state?: InputMaybe<ReadonlyArray<OperationProgress>>;
  readonly requestedBy?: InputMaybe<Scalars["String"]["input"]>;
};

export type AuditFilter = {
  readonly actor?: InputMaybe<Scalars["String"]["input"]>;
  readonly action?: InputMaybe<Scalars["String"]["input"]>;
  readonly target?: InputMaybe<Scalars["String"]["input"]>;
  readonly outcome?: InputMaybe<Scalars["String"]["input"]>;
};

export type DeploymentState = "running" | "hibernated";

export type DesiredState = "running" | "hibernated" | "absent";

export type OperationKind = "provision" | "update" | "hibernate" | "wake" | "move" | "deprovision" | "refresh";

export type OperationProgress = "pending" | "in_progress" | "succeeded" | "failed" | "canceled";

export type EventKind = "state" | "stage" | "step" | "diagnostic" | "note";

/** The first six are about the request, the others about the service and what it stands on. */
export type ErrorCode =
  | "BAD_INPUT"
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

export type PageInfo = {
  readonly endCursor?: Maybe<Scalars["String"]["output"]>;
  readonly hasNextPage: Scalars["Boolean"]["output"];
};

export type Deployment = {
  readonly id: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  /** Counts the accepted requests; give it to a mutation to be told when somebody was faster. */
  readonly revision: Scalars["Int"]["output"];
  readonly desiredState: DesiredState;
  /** Whether deprovisioning is refused. */
  readonly protected: Scalars["Boolean"]["output"];
  /** What it is asked for, as its stack file has it. */
  readonly wish: Scalars["JSON"]["output"];
  /** Platform stack, as organization/project/stack. */
  readonly platform?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  /** What stands now; null before the first operation succeeded and after the last one. */
  readonly runtime?: Maybe<Runtime>;
  /** The operation that runs or waits. */
  readonly currentOperation?: Maybe<Operation>;
  readonly lastOperation?: Maybe<Operation>;
  readonly operations: OperationConnection;
  /** How it differed from its cluster when they were compared last; null before that. */
  readonly drift?: Maybe<Drift>;
  readonly createdAt: Scalars["DateTime"]["output"];
  readonly updatedAt: Scalars["DateTime"]["output"];
  readonly deletedAt?: Maybe<Scalars["DateTime"]["output"]>;
};

export type DeploymentOperationsArgs = {
  first?: InputMaybe<Scalars["Int"]["input"]>;
  after?: InputMaybe<Scalars["String"]["input"]>;
};

export type DeploymentConnection = {
  readonly nodes: ReadonlyArray<Deployment>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

/** What a deployment has: the outputs of its stack. */
export type Runtime = {
  readonly deployment: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly host?: Maybe<Scalars["String"]["output"]>;
  readonly audienceUrl?: Maybe<Scalars["String"]["output"]>;
  readonly cpu?: Maybe<Scalars["Float"]["output"]>;
  /** In GB. */
  readonly memoryGb?: Maybe<Scalars["Float"]["output"]>;
  /** What the disk really has, in bytes. */
  readonly storageBytes?: Maybe<Scalars["Float"]["output"]>;
  readonly dataDir?: Maybe<Scalars["String"]["output"]>;
  readonly provisioner?: Maybe<Scalars["String"]["output"]>;
  readonly state?: Maybe<DeploymentState>;
};

export type RuntimeConnection = {
  readonly nodes: ReadonlyArray<Runtime>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type Operation = {
  readonly id: Scalars["ID"]["output"];
  readonly deployment?: Maybe<Deployment>;
  readonly deploymentId: Scalars["ID"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly kind: OperationKind;
  readonly state: OperationProgress;
  /** The stage it is in or ended in. */
  readonly stage?: Maybe<Scalars["String"]["output"]>;
  readonly stages: ReadonlyArray<Stage>;
  readonly attempts: Scalars["Int"]["output"];
  /** What it does or did, in a sentence. */
  readonly message?: Maybe<Scalars["String"]["output"]>;
  readonly error?: Maybe<OperationError>;
  /** What was asked for. */
  readonly change?: Maybe<Scalars["JSON"]["output"]>;
  /** The deployment's revision that it brings about. */
  readonly revision: Scalars["Int"]["output"];
  /** Resources by what was done with them, notes, and the outputs without secrets. */
  readonly result?: Maybe<Scalars["JSON"]["output"]>;
  readonly requestedBy: Scalars["String"]["output"];
  readonly requestedAt: Scalars["DateTime"]["output"];
  readonly startedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly endedAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly deadlineAt?: Maybe<Scalars["DateTime"]["output"]>;
  readonly cancelRequestedAt?: Maybe<Scalars["DateTime"]["output"]>;
  /** From start to end, or to now. */
  readonly durationSeconds?: Maybe<Scalars["Float"]["output"]>;
  /** The operation that this one tries again. */
  readonly retryOf?: Maybe<Scalars["ID"]["output"]>;
};

export type OperationConnection = {
  readonly nodes: ReadonlyArray<Operation>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
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

/** Why something failed: the same fields as in the `extensions` of an error. */
export type OperationError = {
  readonly code: ErrorCode;
  readonly reason: Scalars["String"]["output"];
  readonly component?: Maybe<Scalars["String"]["output"]>;
  readonly path?: Maybe<Scalars["String"]["output"]>;
  /** What to do about it. */
  readonly advice?: Maybe<Scalars["String"]["output"]>;
  readonly retryable?: Maybe<Scalars["Boolean"]["output"]>;
};

export type OperationEvent = {
  /** Give the last one as `after` to go on after a lost connection. */
  readonly id: Scalars["ID"]["output"];
  readonly operation: Scalars["ID"]["output"];
  readonly at: Scalars["DateTime"]["output"];
  readonly kind: EventKind;
  readonly text: Scalars["String"]["output"];
  readonly data?: Maybe<Scalars["JSON"]["output"]>;
};

/** What would be created, changed, replaced and deleted. */
export type Plan = {
  readonly deployment: Scalars["ID"]["output"];
  readonly kind: OperationKind;
  readonly changes: ReadonlyArray<PlannedChange>;
  readonly notes: ReadonlyArray<Scalars["String"]["output"]>;
  readonly outputs?: Maybe<Scalars["JSON"]["output"]>;
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
  /** Null where there was nothing. A secret is shown as [secret]. */
  readonly before?: Maybe<Scalars["JSON"]["output"]>;
  readonly after?: Maybe<Scalars["JSON"]["output"]>;
};

export type Provisioner = {
  readonly platform: Scalars["String"]["output"];
  readonly name: Scalars["String"]["output"];
  /** static or kubernetes. */
  readonly type: Scalars["String"]["output"];
  readonly isDefault: Scalars["Boolean"]["output"];
  /** Environments whose default it is. */
  readonly environments: ReadonlyArray<Scalars["String"]["output"]>;
  /** How many runtimes are on it. */
  readonly runtimes: Scalars["Int"]["output"];
  /** Null where there is no fixed number. */
  readonly slotsTotal?: Maybe<Scalars["Int"]["output"]>;
  readonly slotsUsed: Scalars["Int"]["output"];
  readonly slotsFree?: Maybe<Scalars["Int"]["output"]>;
  readonly hosts: ReadonlyArray<Host>;
  /** Why it is about to be full. */
  readonly warnings: ReadonlyArray<Scalars["String"]["output"]>;
};

export type Host = {
  readonly host: Scalars["String"]["output"];
  readonly slots: Scalars["Int"]["output"];
  readonly used: Scalars["Int"]["output"];
  readonly free: Scalars["Int"]["output"];
  /** Whether it takes no new runtimes. */
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
  readonly nodes: ReadonlyArray<AuditEntry>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars["Int"]["output"];
};

export type Me = {
  readonly actor: Scalars["String"]["output"];
  readonly tenant: Scalars["String"]["output"];
  readonly role: Role;
  /** Whether the role is for all tenants. */
  readonly allTenants: Scalars["Boolean"]["output"];
};

export type RolloutState = "planning" | "planned" | "running" | "succeeded" | "failed" | "canceled";

export type RolloutItemState = "unchanged" | "changes" | "unknown" | "running" | "succeeded" | "failed" | "skipped";

export type Rollout = {
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
  /** Why it is unknown what would change, or why it failed. */
  readonly error?: Maybe<Scalars["String"]["output"]>;
  readonly operationId?: Maybe<Scalars["ID"]["output"]>;
};

export type Drift = {
  readonly checkedAt: Scalars["DateTime"]["output"];
  readonly changes: ReadonlyArray<PlannedChange>;
  /** Why they could not be compared. */
  readonly error?: Maybe<Scalars["String"]["output"]>;
  /** The operation that repairs it. */
  readonly repairOperationId?: Maybe<Scalars["ID"]["output"]>;
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
  /** What there is of it. */
  readonly parts: ReadonlyArray<Scalars["String"]["output"]>;
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

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars["DateTime"]["output"]>;
  JSON: ResolverTypeWrapper<Scalars["JSON"]["output"]>;
  Annotations: ResolverTypeWrapper<Scalars["Annotations"]["output"]>;
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
  DeploymentFilter: DeploymentFilter;
  OperationFilter: OperationFilter;
  AuditFilter: AuditFilter;
  DeploymentState: DeploymentState;
  DesiredState: DesiredState;
  OperationKind: OperationKind;
  OperationProgress: OperationProgress;
  EventKind: EventKind;
  ErrorCode: ErrorCode;
  Role: Role;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Deployment: ResolverTypeWrapper<DeploymentRow>;
  DeploymentConnection: ResolverTypeWrapper<
    Omit<DeploymentConnection, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["Deployment"]> }
  >;
  Runtime: ResolverTypeWrapper<RuntimeRow>;
  RuntimeConnection: ResolverTypeWrapper<
    Omit<RuntimeConnection, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["Runtime"]> }
  >;
  Operation: ResolverTypeWrapper<OperationRow>;
  OperationConnection: ResolverTypeWrapper<
    Omit<OperationConnection, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["Operation"]> }
  >;
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
    Omit<AuditConnection, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["AuditEntry"]> }
  >;
  Me: ResolverTypeWrapper<Me>;
  RolloutState: RolloutState;
  RolloutItemState: RolloutItemState;
  Rollout: ResolverTypeWrapper<RolloutRow>;
  RolloutItem: ResolverTypeWrapper<RolloutItemRow>;
  Drift: ResolverTypeWrapper<DriftRow>;
  OrphanReport: ResolverTypeWrapper<Omit<OrphanReport, "nodes"> & { nodes: ReadonlyArray<ResolversTypes["Orphan"]> }>;
  OrphanKind: OrphanKind;
  Orphan: ResolverTypeWrapper<OrphanRow>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars["DateTime"]["output"];
  JSON: Scalars["JSON"]["output"];
  Annotations: Scalars["Annotations"]["output"];
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
  DeploymentFilter: DeploymentFilter;
  OperationFilter: OperationFilter;
  AuditFilter: AuditFilter;
  PageInfo: PageInfo;
  Deployment: DeploymentRow;
  DeploymentConnection: Omit<DeploymentConnection, "nodes"> & {
    nodes: ReadonlyArray<ResolversParentTypes["Deployment"]>;
  };
  Runtime: RuntimeRow;
  RuntimeConnection: Omit<RuntimeConnection, "nodes"> & { nodes: ReadonlyArray<ResolversParentTypes["Runtime"]> };
  Operation: OperationRow;
  OperationConnection: Omit<OperationConnection, "nodes"> & { nodes: ReadonlyArray<ResolversParentTypes["Operation"]> };
  Stage: StageRow;
  OperationError: OperationError;
  OperationEvent: EventRow;
  Plan: PlanRow;
  PlannedChange: PlannedChange;
  PlannedProperty: PlannedProperty;
  Provisioner: ProvisionerCapacity;
  Host: Host;
  AuditEntry: AuditRow;
  AuditConnection: Omit<AuditConnection, "nodes"> & { nodes: ReadonlyArray<ResolversParentTypes["AuditEntry"]> };
  Me: Me;
  Rollout: RolloutRow;
  RolloutItem: RolloutItemRow;
  Drift: DriftRow;
  OrphanReport: Omit<OrphanReport, "nodes"> & { nodes: ReadonlyArray<ResolversParentTypes["Orphan"]> };
  Orphan: OrphanRow;
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
    RequireFields<QueryDeploymentsArgs, "first">
  >;
  runtimes?: Resolver<
    ResolversTypes["RuntimeConnection"],
    ParentType,
    ContextType,
    RequireFields<QueryRuntimesArgs, "first">
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
    RequireFields<QueryOperationsArgs, "first">
  >;
  provisioners?: Resolver<
    ReadonlyArray<ResolversTypes["Provisioner"]>,
    ParentType,
    ContextType,
    Partial<QueryProvisionersArgs>
  >;
  plan?: Resolver<ResolversTypes["Plan"], ParentType, ContextType, RequireFields<QueryPlanArgs, "id">>;
  audit?: Resolver<ResolversTypes["AuditConnection"], ParentType, ContextType, RequireFields<QueryAuditArgs, "first">>;
  me?: Resolver<ResolversTypes["Me"], ParentType, ContextType>;
  rollout?: Resolver<Maybe<ResolversTypes["Rollout"]>, ParentType, ContextType, RequireFields<QueryRolloutArgs, "id">>;
  rollouts?: Resolver<
    ReadonlyArray<ResolversTypes["Rollout"]>,
    ParentType,
    ContextType,
    RequireFields<QueryRolloutsArgs, "first">
  >;
  orphans?: Resolver<ResolversTypes["OrphanReport"], ParentType, ContextType>;
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
  adoptDeployment?: Resolver<
    ResolversTypes["Deployment"],
    ParentType,
    ContextType,
    RequireFields<MutationAdoptDeploymentArgs, "id">
  >;
  forgetDeployment?: Resolver<
    ResolversTypes["Deployment"],
    ParentType,
    ContextType,
    RequireFields<MutationForgetDeploymentArgs, "id">
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
  endCursor?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
};

export type DeploymentResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Deployment"] = ResolversParentTypes["Deployment"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  tenant?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  revision?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  desiredState?: Resolver<ResolversTypes["DesiredState"], ParentType, ContextType>;
  protected?: Resolver<ResolversTypes["Boolean"], ParentType, ContextType>;
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
  createdAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  deletedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
};

export type DeploymentConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["DeploymentConnection"] = ResolversParentTypes["DeploymentConnection"],
> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Deployment"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
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
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Runtime"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
};

export type OperationResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["Operation"] = ResolversParentTypes["Operation"],
> = {
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
  revision?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
  result?: Resolver<Maybe<ResolversTypes["JSON"]>, ParentType, ContextType>;
  requestedBy?: Resolver<ResolversTypes["String"], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes["DateTime"], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  deadlineAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  cancelRequestedAt?: Resolver<Maybe<ResolversTypes["DateTime"]>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes["Float"]>, ParentType, ContextType>;
  retryOf?: Resolver<Maybe<ResolversTypes["ID"]>, ParentType, ContextType>;
};

export type OperationConnectionResolvers<
  ContextType = ApiContext,
  ParentType extends ResolversParentTypes["OperationConnection"] = ResolversParentTypes["OperationConnection"],
> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes["Operation"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
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
  nodes?: Resolver<ReadonlyArray<ResolversTypes["AuditEntry"]>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes["PageInfo"], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes["Int"], ParentType, ContextType>;
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

export type Resolvers<ContextType = ApiContext> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Annotations?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  DeploymentPayload?: DeploymentPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Deployment?: DeploymentResolvers<ContextType>;
  DeploymentConnection?: DeploymentConnectionResolvers<ContextType>;
  Runtime?: RuntimeResolvers<ContextType>;
  RuntimeConnection?: RuntimeConnectionResolvers<ContextType>;
  Operation?: OperationResolvers<ContextType>;
  OperationConnection?: OperationConnectionResolvers<ContextType>;
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
  Me?: MeResolvers<ContextType>;
  Rollout?: RolloutResolvers<ContextType>;
  RolloutItem?: RolloutItemResolvers<ContextType>;
  Drift?: DriftResolvers<ContextType>;
  OrphanReport?: OrphanReportResolvers<ContextType>;
  Orphan?: OrphanResolvers<ContextType>;
};

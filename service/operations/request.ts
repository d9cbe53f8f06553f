import type { Insertable, Transaction } from "kysely";
import type { RuntimeConfig } from "../../engine/stack/change";
import { lockedById, revise } from "../database/queries/deployments";
import { RequestOf } from "../database/sealing/requests";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import type { DeploymentRow, DeploymentTable, DesiredState, OperationRow, Tables } from "../database/tables";
import { KINDS } from "../kinds/kinds";
import { demandKey, type Caller, type CheckedInput } from "./input";
import type { LifetimeSettings } from "../lifetimes/rules";
import { audit } from "./audit";
import { limitsOf, startLifetime } from "./changes/lifetime";
import { demandCluster } from "./limits/clusterName";
import { OperationError } from "./error";
import { mayRequest } from "./limits/mayRequest";
import { operationFor } from "./operationFor";
import type { OnEnd } from "./queue";
import { activeOf } from "./queued";
import { checkQuota, type Quota } from "./limits/quota";
import { freeNames, stackNames, type StackNaming } from "../database/queries/stackNames";
import { desiredStateOf, slotsOf, desiredAfter, withRecord } from "./desired";

export interface RequestOptions {
  /** Default platform of deployments. */
  readonly defaultPlatform: string;
  /** Quota of tenants that are not in the table of quotas. */
  readonly quota?: Quota;
  /** How to name the stacks of new deployments. Default: by id. */
  readonly stackNaming?: StackNaming;
  /** Seals secrets. Default: no vault; requests with secrets are rejected. */
  readonly vault?: Vault;
  /** The operation that this one retries. */
  readonly retryOf?: string;
  /** Called in the same transaction when an operation ends, to queue work that follows. */
  readonly onEnd?: OnEnd;
  /** Why the operation would reject the request. Default: unknown. */
  readonly refusal?: OperationError;
  /** Limits of new deployments. Default: none. */
  readonly lifetimes?: Pick<LifetimeSettings, "defaults">;
}

/** Accepts a request: stores the desired config, the operation and its job. */
export async function accept(
  transaction: Transaction<Tables>,
  given: CheckedInput,
  caller: Caller,
  options: RequestOptions,
): Promise<OperationRow> {
  const { deployment: id, kind, change, lifetime } = given;
  demandKey(change, options.vault ?? NO_KEYS);
  const before = await lockedById(transaction, caller.tenant, id);
  const asked = { ...given, change: withRecord(before, given) };
  const deployment = await wanted(transaction, asked, caller, before, options);
  if (options.refusal) throw options.refusal;
  // A repeated request keeps the limits of the first one.
  if (KINDS[kind].creates && options.retryOf === undefined) {
    await startLifetime(transaction, deployment, limitsOf(given, options.lifetimes));
  }
  const isThere = before !== undefined && before.deletedAt === null;
  const previousConfig = isThere ? before.desiredConfig : null;
  const operation = await operationFor(transaction, asked, caller, deployment, { ...options, previousConfig });
  const limits = lifetime !== undefined && { lifetime };
  const details = { operation: operation.id, revision: deployment.revision, change, ...limits };
  await audit(transaction, caller, { action: asked.kind, target: asked.deployment, details }, "accepted");
  return operation;
}

/** Requests the work of an earlier operation again, even if its request was reverted. */
export async function requestAgain(
  transaction: Transaction<Tables>,
  { deployment: id, kind, change }: Pick<CheckedInput, "deployment" | "kind" | "change">,
  caller: Caller,
  options: RequestOptions,
): Promise<OperationRow> {
  const before = await lockedById(transaction, caller.tenant, id);
  const isThere = before !== undefined && before.deletedAt === null && before.desiredState !== "absent";
  const as = KINDS[kind].creates && isThere ? "update" : kind;
  return accept(transaction, { deployment: id, kind: as, change }, caller, options);
}

/** Returns the full desired config after a request. */
export function desiredOf(
  { kind, change }: CheckedInput,
  before: DeploymentRow | undefined,
  defaultPlatform: string,
): RuntimeConfig {
  if (KINDS[kind].deletes && before !== undefined) return before.desiredConfig;
  const stays = before !== undefined && before.deletedAt === null && before.desiredState !== "absent";
  return desiredAfter(stays ? before.desiredConfig : {}, change, defaultPlatform);
}

/** Throws if a request that creates or resizes a deployment would exceed its tenant's quota. */
export async function withinQuota(
  transaction: Transaction<Tables>,
  { deployment, kind, change }: CheckedInput,
  tenant: string,
  desiredConfig: RuntimeConfig,
  quota: Quota | undefined,
): Promise<void> {
  if (!KINDS[kind].creates && change.deployment.slots === undefined) return;
  await checkQuota(transaction, { tenant, deployment, slots: slotsOf(desiredConfig) }, quota);
}

/** Stores the desired config of a request. Throws if the request is rejected. */
async function wanted(
  transaction: Transaction<Tables>,
  asked: CheckedInput,
  { tenant }: Caller,
  before: DeploymentRow | undefined,
  { defaultPlatform, quota, stackNaming }: RequestOptions,
): Promise<DeploymentRow> {
  const isGoing = before?.deletedAt === null && before.desiredState === "absent";
  mayRequest(asked, before, isGoing ? await deletionOf(transaction, before) : undefined);
  const { deployment: name } = asked;
  const { deletes } = KINDS[asked.kind];
  const isThere = before !== undefined && before.deletedAt === null;
  const desiredConfig = desiredOf(asked, before, defaultPlatform);
  await withinQuota(transaction, asked, tenant, desiredConfig, quota);
  if (!deletes) await demandCluster(transaction, desiredConfig, { tenant, name });
  const desiredState: DesiredState = deletes ? "absent" : desiredStateOf(desiredConfig);
  const row = (id: string) => ({
    ...{ tenant, desiredState, deletedAt: null },
    desiredConfig: new RequestOf({ tenant, deployment: id }, desiredConfig),
  });
  if (before === undefined) {
    const made = (id: string) => ({ id, name, ...row(id) });
    return created(transaction, { tenant, name }, made, stackNames(tenant, name, asked.stackNaming ?? stackNaming));
  }
  return revise(transaction, before, {
    ...row(before.id),
    ...(!isThere && { createdAt: new Date(), protected: false, provisioner: null, outputs: {}, revisions: {} }),
  });
}

/** Returns the operation that deprovisions a deployment. */
async function deletionOf(transaction: Transaction<Tables>, { id }: DeploymentRow): Promise<string | undefined> {
  return (await activeOf(transaction, id)).findLast(({ kind }) => KINDS[kind].deletes)?.id;
}

/** Creates a deployment on the first stack name that is free. */
async function created(
  transaction: Transaction<Tables>,
  { tenant, name }: Pick<DeploymentRow, "tenant" | "name">,
  rowOf: (id: string) => Insertable<DeploymentTable>,
  stacks: readonly string[],
): Promise<DeploymentRow> {
  for (const id of await freeNames(transaction, stacks)) {
    const made = await transaction
      .insertInto("deployment")
      .values(rowOf(id))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made !== undefined) return made;
    // Either another tenant took the stack name meanwhile, or another request of this tenant created the deployment.
    if (await lockedById(transaction, tenant, name)) break;
  }
  throw new OperationError("CONFLICT", { reason: `there is a deployment ${name} already`, path: "id" });
}

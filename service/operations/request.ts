import type { Insertable, Transaction } from "kysely";
import { v7 } from "uuid";
import type { RuntimeChange, RuntimeConfig } from "../../engine/stack/change";
import { hasSecretValues } from "../../engine/stack/secretValues";
import { RequestOf } from "../database/sealing/requests";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import type { DeploymentRow, DeploymentTable, DesiredState, OperationRow, Tables } from "../database/tables";
import { demandKey, type OperationInput, type Caller } from "./input";
import { audit } from "./audit";
import { OperationError } from "./error";
import { runOnce } from "./idempotency";
import { mayRequest } from "./mayRequest";
import { recordEvents } from "./events";
import { fold } from "./fold";
import { enqueue } from "./queue";
import { checkQuota, type Quota } from "./quota";
import { freeNames, stackNames, type StackNaming } from "../database/queries/stackNames";
import { currentTrace } from "../tracing/span";
import { desiredStateOf, slotsOf, desiredAfter, withRecord } from "./desired";

/** A checked request. */
export type CheckedInput = OperationInput & { readonly change: RuntimeChange };

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
  /** Why the operation would reject the request. Default: unknown. */
  readonly refusal?: OperationError;
}

/** Accepts a request: stores the desired config, the operation and its job in one transaction. */
export async function accept(
  transaction: Transaction<Tables>,
  given: CheckedInput,
  caller: Caller,
  options: RequestOptions,
): Promise<OperationRow> {
  const { deployment: id, kind, change, revision, idempotencyKey: key, alone = false } = given;
  const { vault = NO_KEYS } = options;
  const request = { deployment: id, kind, change, revision };
  const keyed = { key, request, caller, vault, hasSecrets: hasSecretValues(change) };
  return runOnce(transaction, "operation", keyed, async () => {
    demandKey(change, vault);
    const before = await locked(transaction, caller.tenant, id);
    const asked = { ...given, change: withRecord(before, given) };
    const deployment = await wanted(transaction, asked, caller, before, options);
    if (options.refusal) throw options.refusal;
    if (alone) await idle(transaction, deployment);
    const isThere = before !== undefined && before.deletedAt === null;
    const previousConfig = isThere ? before.desiredConfig : null;
    const operation = await operationFor(transaction, asked, caller, deployment, { ...options, previousConfig });
    const details = { operation: operation.id, revision: deployment.revision, change };
    await audit(transaction, caller, { action: asked.kind, target: asked.deployment, details }, "accepted");
    return operation;
  });
}

/** Requests the work of an earlier operation again, even if its request was reverted. */
export async function requestAgain(
  transaction: Transaction<Tables>,
  { deployment: id, kind, change }: Pick<CheckedInput, "deployment" | "kind" | "change">,
  caller: Caller,
  options: RequestOptions,
): Promise<OperationRow> {
  const before = await locked(transaction, caller.tenant, id);
  const isThere = before !== undefined && before.deletedAt === null && before.desiredState !== "absent";
  const as = kind === "provision" && isThere ? "update" : kind;
  return accept(transaction, { deployment: id, kind: as, change }, caller, options);
}

/** Returns the tenant's deployment, locked until the transaction ends. */
function locked(transaction: Transaction<Tables>, tenant: string, name: string): Promise<DeploymentRow | undefined> {
  const rows = transaction.selectFrom("deployment").selectAll().where("tenant", "=", tenant).where("name", "=", name);
  return rows.forUpdate().executeTakeFirst();
}

/** Returns the full desired config after a request. */
export function desiredOf(
  { kind, change }: CheckedInput,
  before: DeploymentRow | undefined,
  defaultPlatform: string,
): RuntimeConfig {
  if (kind === "deprovision" && before !== undefined) return before.desiredConfig;
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
  if (kind !== "provision" && change.deployment.slots === undefined) return;
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
  mayRequest(asked, before);
  const { deployment: name, kind } = asked;
  const isThere = before !== undefined && before.deletedAt === null;
  const desiredConfig = desiredOf(asked, before, defaultPlatform);
  await withinQuota(transaction, asked, tenant, desiredConfig, quota);
  const desiredState: DesiredState = kind === "deprovision" ? "absent" : desiredStateOf(desiredConfig);
  const row = (id: string) => ({
    ...{ tenant, desiredState, deletedAt: null },
    desiredConfig: new RequestOf({ tenant, deployment: id }, desiredConfig),
  });
  if (before === undefined) {
    const made = (id: string) => ({ id, name, ...row(id) });
    return created(transaction, { tenant, name }, made, stackNames(tenant, name, stackNaming));
  }
  return transaction
    .updateTable("deployment")
    .set({
      ...row(before.id),
      revision: before.revision + 1,
      updatedAt: new Date(),
      ...(!isThere && { createdAt: new Date(), protected: false, provisioner: null, outputs: {} }),
    })
    .where("id", "=", before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
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
    if (await locked(transaction, tenant, name)) break;
  }
  throw new OperationError("CONFLICT", { reason: `there is a deployment ${name} already`, path: "id" });
}

/** Throws while an operation of the locked deployment is pending or in progress. */
async function idle(transaction: Transaction<Tables>, { id, name }: DeploymentRow): Promise<void> {
  const active = await transaction
    .selectFrom("operation")
    .select("id")
    .where("deploymentId", "=", id)
    .where("state", "in", ["pending", "in_progress"])
    .executeTakeFirst();
  if (active === undefined) return;
  throw new OperationError("CONFLICT", {
    reason: `cannot start new operation for ${name} Runtime while previous one is in progress`,
    path: "id",
    advice: `Wait for the end of operation ${active.id}, or cancel it`,
  });
}

/** Returns the operation that executes the request: the pending one, or a new one. */
async function operationFor(
  transaction: Transaction<Tables>,
  { kind, change }: CheckedInput,
  { actor, tenant }: Caller,
  { id, revision }: DeploymentRow,
  { retryOf, previousConfig }: RequestOptions & { readonly previousConfig: RuntimeConfig | null },
): Promise<OperationRow> {
  const active = await transaction
    .selectFrom("operation")
    .selectAll()
    .where("deploymentId", "=", id)
    .where("state", "in", ["pending", "in_progress"])
    .execute();
  const owner = { tenant, deployment: id };
  const newer = { kind, change, refresh: kind === "refresh" };
  const waiting = active.find(({ state }) => state === "pending");
  if (waiting !== undefined) {
    const folded = fold(waiting, newer);
    await recordEvents(transaction, waiting.id, [
      { kind: "note", text: `${actor} requested ${kind} too`, data: { revision } },
    ]);
    return transaction
      .updateTable("operation")
      .set({
        kind: folded.kind,
        change: new RequestOf(owner, folded.change),
        refresh: folded.refresh,
        revision,
        requestedBy: actor,
      })
      .where("id", "=", waiting.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const working = active[0];
  const message = working === undefined ? "waiting for a worker" : `waiting for operation ${working.id} to end`;
  const operation = await transaction
    .insertInto("operation")
    .values({
      id: v7(),
      deploymentId: id,
      tenant,
      kind,
      change: new RequestOf(owner, change),
      refresh: newer.refresh,
      revision,
      previousConfig: previousConfig && new RequestOf(owner, previousConfig),
      message,
      requestedBy: actor,
      retryOf: retryOf ?? null,
      trace: currentTrace(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEvents(transaction, operation.id, [{ kind: "state", text: message, data: { state: "pending" } }]);
  // An operation that follows another gets its job when the first one ends.
  if (working === undefined) await enqueue(transaction, operation.id);
  return operation;
}

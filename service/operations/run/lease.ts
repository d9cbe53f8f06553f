import { sql, type Transaction } from "kysely";
import type { EngineRecord } from "../../../foundation/process/engines";
import type { Database } from "../../database/database";
import type { DeploymentRow, OperationRow, Tables } from "../../database/tables";
import { recordEvents, type NewEvent } from "../../database/queries/events";
import { describeOwner } from "./owner";
import type { StagesFor } from "./stage";

export interface LeaseOptions {
  /** Id of this process. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Time limit of an operation, including retries. */
  readonly operationMs: number;
  readonly stagesFor: StagesFor;
}

/** The right to work on an operation. */
export interface Lease {
  readonly id: string;
  readonly owner: string;
  /** Rises whenever a process takes the operation. */
  readonly epoch: number;
}

/** An operation that this process now executes. */
export interface LeasedOperation {
  readonly lease: Lease;
  readonly operation: OperationRow;
  readonly deployment: DeploymentRow;
}

/** This process no longer owns the operation: another one has taken it, or it has ended. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

const until = (ms: number) => sql<Date>`now() + ${ms / 1000} * interval '1 second'`;

/**
 * Takes a pending operation, or one whose process is gone. Undefined if there is nothing to do: the operation has
 * ended, another process executes it, or an earlier operation of the deployment has not ended and queues this one then.
 */
export function acquireLease(
  database: Database,
  id: string,
  options: LeaseOptions,
): Promise<LeasedOperation | undefined> {
  return database.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("operation")
      .select("deploymentId")
      .where("id", "=", id)
      .executeTakeFirst();
    if (!found) return undefined;
    // Lock the deployment, so that concurrent requests see the operation either pending or in progress.
    const deployment = await transaction
      .selectFrom("deployment")
      .selectAll()
      .where("id", "=", found.deploymentId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const operation = await begin(transaction, id, deployment, options);
    if (operation === undefined) return undefined;
    return { lease: { id, owner: options.owner, epoch: operation.leaseEpoch }, operation, deployment };
  });
}

async function begin(
  transaction: Transaction<Tables>,
  id: string,
  deployment: DeploymentRow,
  { owner, leaseMs, operationMs, stagesFor }: LeaseOptions,
): Promise<OperationRow | undefined> {
  const before = await transaction
    .selectFrom("operation")
    .selectAll()
    .select(sql<boolean>`lease_until is null or lease_until <= now()`.as("isFree"))
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (before.state === "pending") {
    const others = transaction.selectFrom("operation").select("id").where("deploymentId", "=", deployment.id);
    const earlier = others.where((eb) =>
      eb.or([
        eb("state", "=", "in_progress"),
        eb.and([eb("state", "=", "pending"), eb("revision", "<", before.revision)]),
      ]),
    );
    if ((await earlier.executeTakeFirst()) !== undefined) return undefined;
  } else if (before.state !== "in_progress" || !before.isFree) return undefined;
  const stages = stagesFor(before, deployment);
  // The operation's time limit includes the limits of stages that have their own.
  const ownMs = stages.reduce((sum, { limitMs = 0 }) => sum + limitMs, 0);
  const operation = await transaction
    .updateTable("operation")
    .set({
      state: "in_progress",
      leaseOwner: owner,
      leaseUntil: until(leaseMs),
      leaseEpoch: before.leaseEpoch + 1,
      startedAt: before.startedAt ?? sql<Date>`now()`,
      deadlineAt: before.deadlineAt ?? until(operationMs + ownMs),
      stage: before.stage ?? stages[0]?.name ?? null,
      attempts: before.attempts + 1,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (before.state === "pending") {
    const rows = stages.map(({ name }, index) => ({
      operationId: id,
      number: index + 1,
      name,
      state: "pending" as const,
    }));
    await transaction.insertInto("stage").values(rows).execute();
    await recordEvents(transaction, id, [{ kind: "state", text: "begun", data: { state: "in_progress" } }]);
  } else if (before.leaseOwner !== null && before.leaseOwner !== owner) {
    const text = `taken over from ${describeOwner(before.leaseOwner)}, which no longer works on it`;
    await recordEvents(transaction, id, [{ kind: "note", text }]);
  }
  return operation;
}

/** True for the row of the operation while the lease is valid. */
const isHeld = ({ id, owner, epoch }: Lease) =>
  sql<boolean>`id = ${id} and lease_owner = ${owner} and lease_epoch = ${epoch} and state = 'in_progress'`;

const lost = ({ id }: Lease): LeaseLost => new LeaseLost(`operation ${id} is not ours any more`);

/** Extends the lease. Returns whether the operation is to be canceled. */
export async function renew(database: Database, lease: Lease, leaseMs: number): Promise<boolean> {
  const row = await database
    .updateTable("operation")
    .set({ leaseUntil: until(leaseMs) })
    .where(isHeld(lease))
    .where("leaseUntil", ">", sql<Date>`now()`)
    .returning("cancelRequestedAt")
    .executeTakeFirst();
  if (!row) throw lost(lease);
  return row.cancelRequestedAt !== null;
}

/** Returns the operation, locked. Throws if this process does not hold the lease. */
export async function lockLeased(transaction: Transaction<Tables>, lease: Lease): Promise<OperationRow> {
  const row = await transaction.selectFrom("operation").selectAll().where(isHeld(lease)).forUpdate().executeTakeFirst();
  if (!row) throw lost(lease);
  return row;
}

/** Records an engine before it locks a stack, so that the lock can be recognised as the service's. */
export async function noteEngine(database: Database, lease: Lease, engine: EngineRecord): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable("operation")
    .set({ engines: sql`engines || ${JSON.stringify([engine])}::jsonb` })
    .where(isHeld(lease))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw lost(lease);
}

/** Records events of the operation, unless this process has lost the lease. */
export async function recordLeasedEvents(database: Database, lease: Lease, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = JSON.stringify(events);
  await sql`insert into event (operation_id, kind, text, data)
    select ${lease.id}::uuid, kind, text, data
    from rows from (jsonb_to_recordset(${rows}::jsonb) as (kind text, text text, data jsonb)) with ordinality
      as new (kind, text, data, number)
    where exists (select from operation where ${isHeld(lease)}) order by number`.execute(database);
}

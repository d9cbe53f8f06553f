import { sql, type Transaction } from "kysely";
import type { Database } from "../../database/database";
import type { DeploymentRow, EngineProcess, OperationRow, Tables } from "../../database/tables";
import { recordEvents } from "../events";
import type { StagesFor } from "./stages";

export interface LeaseOptions {
  /** Id of this process. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Time limit of an operation, including retries. */
  readonly operationMs: number;
  readonly stagesFor: StagesFor;
}

/** An operation that this process now executes. */
export interface LeasedOperation {
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
 * ended, another process executes it, or another operation of the deployment is in progress and queues this one when it
 * ends.
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
    return operation && { operation, deployment };
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
    const other = transaction.selectFrom("operation").select("id").where("deploymentId", "=", deployment.id);
    if ((await other.where("state", "=", "in_progress").executeTakeFirst()) !== undefined) return undefined;
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
    const text = `taken over from ${before.leaseOwner}, which no longer works on it`;
    await recordEvents(transaction, id, [{ kind: "note", text }]);
  }
  return operation;
}

/** Extends the lease. Returns whether the operation is to be canceled. */
export async function renew(database: Database, id: string, { owner, leaseMs }: LeaseOptions): Promise<boolean> {
  const row = await database
    .updateTable("operation")
    .set({ leaseUntil: until(leaseMs) })
    .where("id", "=", id)
    .where("leaseOwner", "=", owner)
    .where("state", "=", "in_progress")
    .where("leaseUntil", ">", sql<Date>`now()`)
    .returning("cancelRequestedAt")
    .executeTakeFirst();
  if (!row) throw new LeaseLost(`operation ${id} is not ours any more`);
  return row.cancelRequestedAt !== null;
}

/** Returns the operation, locked. Throws if this process does not hold its lease. */
export async function lockLeased(transaction: Transaction<Tables>, id: string, owner: string): Promise<OperationRow> {
  const row = await transaction
    .selectFrom("operation")
    .selectAll()
    .where("id", "=", id)
    .where("leaseOwner", "=", owner)
    .where("state", "=", "in_progress")
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new LeaseLost(`operation ${id} is not ours any more`);
  return row;
}

/** Records an engine before it locks a stack, so that the lock can be recognised as the service's. */
export async function noteEngine(database: Database, id: string, engine: EngineProcess): Promise<void> {
  await database
    .updateTable("operation")
    .set({ engines: sql`engines || ${JSON.stringify([engine])}::jsonb` })
    .where("id", "=", id)
    .execute();
}

import { sql } from "kysely";
import type { Database } from "../../database/database";
import { dropHeldJob, enqueue, LOOK_TASK } from "../queue";
import { isGone } from "./owner";

/** Age at which a pending job that nothing blocks counts as lost with its process. */
const LOST_AFTER = "20 seconds";

/**
 * Queues operations of ended processes again: their lease has expired, or their process is known to have ended. Returns
 * their ids.
 */
export async function recover(database: Database): Promise<readonly string[]> {
  const abandoned = await database
    .selectFrom("operation")
    .select(["id", "leaseOwner", sql<boolean>`lease_until <= now() - interval '1 second'`.as("isOver")])
    .where("state", "=", "in_progress")
    .execute();
  const free = abandoned.filter(({ isOver, leaseOwner }) => isOver || (leaseOwner !== null && isGone(leaseOwner)));
  const queued: string[] = [];
  for (const { id, leaseOwner, isOver } of free) {
    if (await requeue(database, id, leaseOwner, isOver)) queued.push(id);
  }
  for (const { id } of await lost(database)) {
    await enqueue(database, id);
    queued.push(id);
  }
  return queued;
}

/** Several processes may find the same operation; only the first one queues it. */
function requeue(database: Database, id: string, leaseOwner: string | null, isOver: boolean): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable("operation")
      // Only here is it known when the engines of the process have ended. Elsewhere, the lease counts.
      .set({ leaseUntil: sql<Date>`now()`, ...(!isOver && { enginesUntil: sql<Date>`lease_until` }) })
      .where("id", "=", id)
      .where("state", "=", "in_progress")
      .where("leaseOwner", "is not distinct from", leaseOwner)
      .$if(isOver, (query) => query.where("leaseUntil", "<=", sql<Date>`now() - interval '1 second'`))
      .returning("id")
      .executeTakeFirst();
    // The next check decides whether the operation needs an engine.
    if (row) {
      await dropHeldJob(transaction, id);
      await enqueue(transaction, id, undefined, LOOK_TASK);
    }
    return row !== undefined;
  });
}

/** Pending operations that nothing blocks, and whose job is missing or held by a process that may be dead. */
function lost(database: Database): Promise<{ id: string }[]> {
  return database
    .selectFrom("operation")
    .select("id")
    .where("state", "=", "pending")
    .where("requestedAt", "<", sql<Date>`now() - interval '${sql.raw(LOST_AFTER)}'`)
    .where(
      sql<boolean>`not exists (
        select from operation other where other.deployment_id = operation.deployment_id and (
          other.state = 'in_progress' or (other.state = 'pending' and other.revision < operation.revision)
        )
      )`,
    )
    .where(
      sql<boolean>`not exists (
        select from graphile_worker.jobs where key = 'operation:' || operation.id
        and (locked_at is null or locked_at > now() - interval '${sql.raw(LOST_AFTER)}')
      )`,
    )
    .execute();
}

import { sql, type Transaction } from "kysely";
import type { Connection } from "../database/database";
import type { OperationRow, Tables } from "../database/tables";

/** Called in the transaction that ends an operation, to queue work that follows. */
export type OnEnd = (transaction: Transaction<Tables>, operation: OperationRow) => Promise<void>;

/** Task that executes an operation. */
export const OPERATION_TASK = "operation";
/** Task that checks whether an operation can continue. It needs no engine, so it never waits for a free one. */
export const LOOK_TASK = "look";

/**
 * Key of the only job per task and subject. Adding a job with the same key replaces one that a dead process still
 * holds.
 */
const keyOf = (task: string, id: string): string => `${task}:${id}`;

/** Priority of jobs that may wait until all other jobs are done. */
export const LOW_PRIORITY = 10;

export interface JobOptions {
  /** Earliest start. */
  readonly at?: Date;
  /** Jobs with lower numbers run first. */
  readonly priority?: number;
  readonly key?: string;
}

/** Adds a job in the caller's transaction. */
export async function addJob(
  connection: Connection,
  task: string,
  id: string,
  { at, priority = 0, key = keyOf(task, id) }: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    identifier => ${task},
    payload => ${JSON.stringify({ id })}::json,
    run_at => ${at ?? null}::timestamptz,
    job_key => ${key},
    job_key_mode => 'replace',
    priority => ${priority}::smallint
  )`.execute(connection);
}

/** Queues an operation. It has one job, whichever task runs it. */
export const enqueue = (
  connection: Connection,
  operation: string,
  at?: Date,
  task: typeof OPERATION_TASK | typeof LOOK_TASK = OPERATION_TASK,
): Promise<void> => addJob(connection, task, operation, { at, key: keyOf(OPERATION_TASK, operation) });

/**
 * Removes the job of an operation whose process is gone, before the operation is queued again. A job that is only
 * replaced stays in the table while a process holds it, and this one never lets go.
 */
export async function dropHeldJob(connection: Connection, operation: string): Promise<void> {
  const key = keyOf(OPERATION_TASK, operation);
  await sql`delete from graphile_worker._private_jobs where key = ${key} and locked_at is not null`.execute(connection);
}

/** Removes an operation from the queue unless it is being executed. */
export async function dequeue(connection: Connection, operation: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${keyOf(OPERATION_TASK, operation)})`.execute(connection);
}

import { sql } from "kysely";
import type { Connection } from "../database/database";

/** Name of the task that works on an operation. */
export const OPERATION_TASK = "operation";

/** Key of the only job of a task about something. A job of the same key that a dead process still holds is given up by adding another. */
const keyOf = (task: string, id: string): string => `${task}:${id}`;

/** What can wait until nobody waits for anything else. */
export const LATER = 10;

/** Adds a job about something, in the transaction that wants it; `at`: not before then. Lower priorities come first. */
export async function addJob(
  connection: Connection,
  task: string,
  id: string,
  { at, priority = 0 }: { readonly at?: Date; readonly priority?: number } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    identifier => ${task},
    payload => ${JSON.stringify({ id })}::json,
    run_at => ${at ?? null}::timestamptz,
    job_key => ${keyOf(task, id)},
    job_key_mode => 'replace',
    priority => ${priority}::smallint
  )`.execute(connection);
}

/** Queues an operation. */
export const enqueue = (connection: Connection, operation: string, at?: Date): Promise<void> =>
  addJob(connection, OPERATION_TASK, operation, { at });

/** Takes an operation out of the queue, unless it is worked on. */
export async function dequeue(connection: Connection, operation: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${keyOf(OPERATION_TASK, operation)})`.execute(connection);
}

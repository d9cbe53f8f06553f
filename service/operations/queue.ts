import { sql } from "kysely";
import type { Connection } from "../database/database";

/** Name of the task that works on an operation. */
export const OPERATION_TASK = "operation";

/** Key of an operation's only job. A job of the same key that a dead process still holds is given up by adding another. */
const keyOf = (operation: string): string => `operation:${operation}`;

/** Queues an operation, in the transaction that made it; `at`: not before then. */
export async function enqueue(connection: Connection, operation: string, at?: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    identifier => ${OPERATION_TASK},
    payload => ${JSON.stringify({ id: operation })}::json,
    run_at => ${at ?? null}::timestamptz,
    job_key => ${keyOf(operation)},
    job_key_mode => 'replace'
  )`.execute(connection);
}

/** Takes an operation out of the queue, unless it is worked on. */
export async function dequeue(connection: Connection, operation: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${keyOf(operation)})`.execute(connection);
}

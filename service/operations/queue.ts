import { sql } from "kysely";
import type { Connection } from "../database/database";

/** Name of the task that works on an operation. */
export const OPERATION_TASK = "operation";
/** The task that looks whether what an operation waits for is there. It needs no engine, so no engine's work keeps it waiting. */
export const LOOK_TASK = "look";

/** Key of the only job of a task about something. A job of the same key that a dead process still holds is given up by adding another. */
const keyOf = (task: string, id: string): string => `${task}:${id}`;

/** What can wait until nothing waits for anything else. */
export const LATER = 10;

export interface JobOptions {
  /** Not before then. */
  readonly at?: Date;
  /** Lower ones come first. */
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

/** Queues an operation; it has one job, whichever task that is. */
export const enqueue = (
  connection: Connection,
  operation: string,
  at?: Date,
  task: typeof OPERATION_TASK | typeof LOOK_TASK = OPERATION_TASK,
): Promise<void> => addJob(connection, task, operation, { at, key: keyOf(OPERATION_TASK, operation) });

/** Takes an operation out of the queue, unless it is worked on. */
export async function dequeue(connection: Connection, operation: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${keyOf(OPERATION_TASK, operation)})`.execute(connection);
}

import { sql, type RawBuilder } from "kysely";
import type { Database } from "../database/database";
import type { Log } from "../log";

/** Number of days that each kind of record is kept. */
export interface RetentionSettings {
  readonly operations: number;
  readonly audit: number;
  readonly keys: number;
  readonly notices: number;
}

const TASK = "retention";
/** Small enough to hold no lock for long. */
const BATCH = 500;
/** Age at which the queue itself takes a job back from its process. */
const HELD = "4 hours";

const before = (days: number): RawBuilder<unknown> => sql`now() - ${days} * interval '1 day'`;

/** Statements that delete one batch of what is too old, by what they delete. */
function statements({ operations, audit, keys, notices }: RetentionSettings, size: number) {
  const batch = (table: string, where: RawBuilder<unknown>, key = "id") =>
    sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} old where ${where} order by ${sql.ref(key)} limit ${size}
      for update skip locked
    )`;
  return {
    // The newest operation says what state a deployment is in. Stages, events and deliveries go with their operation.
    operations: batch(
      "operation",
      sql`ended_at < ${before(operations)}
        and exists (select from operation newer where newer.deployment_id = old.deployment_id and newer.id > old.id)
        and not exists (select from webhook_delivery where operation_id = old.id and state = 'pending')`,
    ),
    rollouts: batch("rollout", sql`ended_at < ${before(operations)}`),
    audit: batch("audit", sql`at < ${before(audit)}`),
    notices: batch(
      "notice",
      sql`at < ${before(notices)}
        and not exists (select from notice_delivery where notice_id = old.id and state = 'pending')`,
    ),
    keys: sql`delete from idempotency where ctid in (
      select ctid from idempotency where at < ${before(keys)} limit ${size} for update skip locked
    )`,
    // A job whose process was killed, and that another one has replaced, is never run again.
    jobs: batch(
      "graphile_worker._private_jobs",
      sql`attempts >= max_attempts and coalesce(locked_at, updated_at) < now() - ${sql.raw(`interval '${HELD}'`)}`,
    ),
  };
}

/** Deletes everything that is too old, in batches. Returns the number of rows by kind. */
export async function deleteOld(
  database: Database,
  settings: RetentionSettings,
  size = BATCH,
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const [kind, statement] of Object.entries(statements(settings, size))) {
    for (let found = size; found >= size;) {
      const { numAffectedRows = 0n } = await statement.execute(database);
      found = Number(numAffectedRows);
      deleted[kind] = (deleted[kind] ?? 0) + found;
    }
  }
  return deleted;
}

/** Deletes old records each hour, in one process. */
export class Retention {
  constructor(
    private readonly settings: RetentionSettings,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  readonly crontab = `23 * * * * ${TASK}`;

  readonly tasks = {
    [TASK]: async (): Promise<void> => {
      const deleted = await deleteOld(this.database, this.settings);
      if (Object.values(deleted).some((count) => count > 0)) this.log.info({ deleted }, "old records were deleted");
    },
  };
}

import type { Pool, PoolClient } from "pg";
import { Failure } from "../../foundation/errors";

/** Another process may use the pooler at the same moment. */
const TRIES = 3;

/**
 * Throws if a pooler gives each transaction another session of the server: then notifications are lost, and statements
 * that the queue has prepared are missing. Only there two connections have the same session.
 */
export async function requireSessions(pool: Pick<Pool, "connect">): Promise<void> {
  const one = await pool.connect();
  const other = await pool.connect();
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if ((await sessionOf(one)) !== (await sessionOf(other))) continue;
      throw new Failure(
        "the database is behind a pooler that shares sessions among connections; expected sessions of their own: the " +
          "address of PostgreSQL, or pool_mode = session of PgBouncer",
      );
    }
  } finally {
    one.release();
    other.release();
  }
}

async function sessionOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

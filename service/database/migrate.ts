import { runMigrations } from "graphile-worker";
import { runner } from "node-pg-migrate";
import type { Pool } from "pg";

const TABLE = "migration";

const optionsOf = (folder: string) => ({
  dir: folder,
  direction: "up" as const,
  migrationsTable: TABLE,
  // Plain numbers in their order; a service that is older than the database must not start to reorder them.
  checkOrder: true,
  log: () => undefined,
});

/**
 * Brings the tables of the service and of its queue to this version, under a lock: any number of processes may start at once.
 * Answers the names of the migrations that were run.
 */
export async function migrate(pool: Pool, folder: string): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    // The lock is waited for, not only tried: whoever comes second finds nothing left to do.
    const done = await runner({ ...optionsOf(folder), dbClient: client, advisoryLockMode: "wait" });
    await runMigrations({ pgPool: pool });
    return done.map(({ name }) => name);
  } finally {
    client.release();
  }
}

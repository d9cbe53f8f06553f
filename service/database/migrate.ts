import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import { runner } from "node-pg-migrate";
import type { Pool } from "pg";

const TABLE = "migration";

/**
 * Migrates the tables of the service and its queue to this version. A lock lets any number of processes start at once.
 * `folder` contains the migrations. Returns the names of the migrations it ran.
 */
export async function migrate(pool: Pool, folder: string): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    const done = await runner({
      dbClient: client,
      dir: folder,
      direction: "up",
      migrationsTable: TABLE,
      checkOrder: true,
      // A second process waits for the first, then finds no pending migration.
      advisoryLockMode: "wait",
      log: () => undefined,
    });
    await runMigrations({ pgPool: pool });
    return done.map(({ name }) => name);
  } finally {
    client.release();
  }
}

/** Returns the migrations of this version that the database does not have. */
export async function pendingMigrations(pool: Pool, folder: string): Promise<readonly string[]> {
  const files = await readdir(folder);
  const names = files.filter((file) => file.endsWith(".sql")).map((file) => file.slice(0, -".sql".length));
  const known = await pool.query<{ name: string | null }>("select to_regclass($1)::text as name", [TABLE]);
  if (known.rows[0]?.name == null) return names.sort();
  const { rows } = await pool.query<{ name: string }>(`select name from ${TABLE}`);
  const done = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !done.has(name)).sort();
}

const LOOK_AGAIN_MS = 1_000;

/** Waits until another process, such as the Job of the chart, has run the migrations of this version. */
export async function untilMigrated(
  pool: Pool,
  folder: string,
  onWait: (names: readonly string[]) => void,
): Promise<void> {
  for (let waited = false; ; waited = true) {
    const names = await pendingMigrations(pool, folder);
    if (names.length === 0) return;
    if (!waited) onWait(names);
    await sleep(LOOK_AGAIN_MS);
  }
}

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import { runner } from "node-pg-migrate";
import type { Pool } from "pg";
import { nearest } from "../../foundation/text/nearest";
import { APPLICATION } from "./database";

const TABLE = "migration";

/**
 * Migrates the tables of the service and its queue to this version. A lock lets any number of processes start at once.
 * `folder` contains the migrations. Returns the names of the migrations it ran.
 */
export async function migrate(pool: Pool, folder: string): Promise<readonly string[]> {
  const done = await run(pool, folder, { direction: "up", checkOrder: true });
  await runMigrations({ pgPool: pool });
  return done;
}

/**
 * Reverts the migrations after `last`, so that the version that ends with it can be started again. Returns their names.
 * Throws while a process of the service is connected. The tables of the queue stay as they are.
 */
export async function migrateDown(pool: Pool, folder: string, last: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  if (!names.includes(last)) {
    const near = nearest(last, names);
    throw new Error(
      `found the migration ${last}; expected one of ${names.join(", ")}${near ? `; did you mean ${near}?` : ""}`,
    );
  }
  const ran = await ranIn(pool);
  if (!ran.includes(last)) throw new Error(`the migration ${last} has not run on this database`);
  const newer = ran.filter((name) => name > last);
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()",
    [APPLICATION],
  );
  if (rowCount) throw new Error(`found ${rowCount} connections of the service; stop all of its processes first`);
  return newer.length === 0 ? [] : run(pool, folder, { direction: "down", count: newer.length });
}

async function run(
  pool: Pool,
  folder: string,
  how: { readonly direction: "up" | "down"; readonly checkOrder?: boolean; readonly count?: number },
): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    const done = await runner({
      ...how,
      dbClient: client,
      dir: folder,
      migrationsTable: TABLE,
      // A second process waits for the first, then finds no pending migration.
      advisoryLockMode: "wait",
      log: () => undefined,
    });
    return done.map(({ name }) => name);
  } finally {
    client.release();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
}

/** Names of the migrations that the database has. */
async function ranIn(pool: Pool): Promise<string[]> {
  const known = await pool.query<{ name: string | null }>("select to_regclass($1)::text as name", [TABLE]);
  if (known.rows[0]?.name == null) return [];
  const { rows } = await pool.query<{ name: string }>(`select name from ${TABLE}`);
  return rows.map(({ name }) => name);
}

/** Returns the migrations of this version that the database does not have. */
export async function pendingMigrations(pool: Pool, folder: string): Promise<readonly string[]> {
  const [names, ran] = [await namesIn(folder), await ranIn(pool)];
  return names.filter((name) => !ran.includes(name));
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

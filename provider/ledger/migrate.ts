/** Migrates the tables of a ledger. Safe for any number of concurrent processes. */

import type { ClientBase } from "pg";
import { LOCKS, transaction } from "./transaction";
import { MIGRATIONS, NEWEST } from "./migrations";

/** Version of the tables in this database; 0 if there are none. */
export async function installedVersion(client: ClientBase): Promise<number> {
  // Not to_regclass, which may use a cache of the connection that is older than the lock.
  const there = await client.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'stackyard' AND c.relname = 'migrations') AS found`,
  );
  if (!there.rows[0]?.found) return 0;
  const { rows } = await client.query<{ version: number | null }>(
    "SELECT max(version) AS version FROM stackyard.migrations",
  );
  return rows[0]?.version ?? 0;
}

/** Throws for tables of a newer release, whose rules this release does not know. */
export function checkVersion(version: number): void {
  if (version <= NEWEST) return;
  throw new Error(
    `the ledger has tables of version ${version}, and this release of stackyard knows them up to ${NEWEST}; ` +
      `use the release that last changed the ledger, or a newer one`,
  );
}

/** Applies all missing migrations in one transaction. */
export async function migrate(client: ClientBase): Promise<void> {
  await transaction(client, async () => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.migration})`);
    const installed = await installedVersion(client);
    checkVersion(installed);
    await client.query("CREATE SCHEMA IF NOT EXISTS stackyard");
    await client.query(
      `CREATE TABLE IF NOT EXISTS stackyard.migrations (
         version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    for (const { version, sql } of MIGRATIONS.filter((migration) => migration.version > installed)) {
      await client.query(sql);
      await client.query("INSERT INTO stackyard.migrations (version) VALUES ($1)", [version]);
    }
  });
}

import * as path from "node:path";
import type { Pool } from "pg";
import { databaseOf, openPool, type Database } from "../../service/database/database";
import { migrate } from "../../service/database/migrate";
import { projectRoot } from "../../toolchain/root";
import { emptyDatabase } from "../engine/runtime/emptyDatabase";

export const MIGRATIONS = path.join(projectRoot(), "service", "database", "migrations");

/** A database of a test's own in the yard's PostgreSQL. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  readonly database: Database;
  remove(): Promise<void>;
}

export async function testDatabase(migrated = true): Promise<TestDatabase> {
  const server = process.env["STACKYARD_TEST_LEDGER_URL"] ?? "";
  const empty = await emptyDatabase(server, "service");
  const pool = openPool({ connectionString: empty.url });
  if (migrated) await migrate(pool, MIGRATIONS);
  return {
    url: empty.url,
    pool,
    database: databaseOf(pool),
    remove: async () => {
      await pool.end();
      await empty.remove();
    },
  };
}

/** Everything that a database has, of all schemas, as the texts of its rows; what is binary is read as text. */
export async function everythingIn(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      return rows.map(({ text }) => text).join("\n");
    }),
  );
  const binary = (_: string, hex: string): string => Buffer.from(hex, "hex").toString("latin1");
  return texts.join("\n").replace(/\\+x((?:[0-9a-f]{2})+)/g, binary);
}

import * as path from "node:path";
import type { Pool } from "pg";
import { databaseOf, openPool, type Database } from "../../service/database/database";
import { migrate } from "../../service/database/migrate";
import { projectRoot } from "../../toolchain/root";
import { emptyDatabase } from "./emptyDatabase";

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

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import { Client, type Pool } from "pg";
import { databaseOf, openPool, type Database } from "../../service/database/database";
import { migrate } from "../../service/database/migrate";
import { projectRoot } from "../../toolchain/root";

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
  const name = `service_${randomBytes(5).toString("hex")}`;
  await execute(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = openPool({ connectionString: url.toString() });
  if (migrated) await migrate(pool, MIGRATIONS);
  return {
    url: url.toString(),
    pool,
    database: databaseOf(pool),
    remove: async () => {
      await pool.end();
      await execute(server, `drop database ${name} with (force)`);
    },
  };
}

async function execute(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

import type { Pool, PoolConfig } from "pg";
import { databaseOf, openPool, type Database } from "./database";

export type { Connection, Database } from "./database";
export { listen } from "./listen";
export { migrate, pendingMigrations } from "./migrate";

/** The service's database: typed queries, and the pool under them. */
export interface ServiceDatabase {
  readonly kysely: Database;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens it; nothing is asked of the server yet. */
export function connect(config: PoolConfig, onError?: (error: Error) => void): ServiceDatabase {
  const pool = openPool(config, onError);
  return { kysely: databaseOf(pool), pool, close: () => pool.end() };
}

import type { Pool, PoolConfig } from "pg";
import { databaseOf, openPool, type Database } from "./database";
import type { SealKey } from "./sealing/keys";
import { Vault } from "./sealing/vault";

export type { Connection, Database } from "./database";
export { listen } from "./listen";
export { migrate, migrateDown, pendingMigrations, untilMigrated } from "./migrate";

/** The service's database: typed queries and the underlying pool. */
export interface ServiceDatabase {
  readonly kysely: Database;
  readonly pool: Pool;
  /** Seals and opens secrets in requests. */
  readonly vault: Vault;
  close(): Promise<void>;
}

/** Creates the pool without connecting to the server. */
export function connect(
  config: PoolConfig,
  { keys, onError }: { readonly keys?: readonly SealKey[]; readonly onError?: (error: Error) => void } = {},
): ServiceDatabase {
  const pool = openPool(config, onError);
  const vault = new Vault(keys);
  return { kysely: databaseOf(pool, vault), pool, vault, close: () => pool.end() };
}

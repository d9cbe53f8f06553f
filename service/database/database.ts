import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from "kysely";
import { Pool, type PoolConfig } from "pg";
import { SealPlugin } from "./sealing/plugin";
import { NO_KEYS, type Vault } from "./sealing/vault";
import type { Tables } from "./tables";

export type Database = Kysely<Tables>;
/** The database or a transaction. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

/** What the service's connections are called in the database. */
export const APPLICATION = "stackyard service";

/** Keepalive detects a dead server even on connections that only listen. */
const PATIENCE: PoolConfig = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/**
 * Opens a pool that survives restarts of the server. Broken idle connections are replaced, and `onError` receives the
 * reason.
 */
export function openPool(config: PoolConfig, onError: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({ application_name: APPLICATION, ...PATIENCE, max: 20, ...config });
  pool.on("error", onError);
  // A connection that breaks while in use fails its query and then emits an error, which would end the process without
  // a listener.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/** Typed queries on a pool; the caller closes the pool. If the vault has no keys, nothing is sealed. */
export function databaseOf(pool: Pool, vault: Vault = NO_KEYS): Database {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    // JSON values keep their keys unchanged.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new SealPlugin(vault)],
  });
}

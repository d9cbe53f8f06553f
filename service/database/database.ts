import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from "kysely";
import { Pool, type PoolConfig } from "pg";
import { SealPlugin } from "./sealing/plugin";
import { NO_KEYS, type Vault } from "./sealing/vault";
import type { Tables } from "./tables";

export type Database = Kysely<Tables>;
/** The database, or a transaction of it. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

/** A server that went away silently is noticed by connections that only listen too. */
const PATIENCE: PoolConfig = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** A pool that survives a restart of the server: idle connections are replaced, and `onError` is called with the reason. */
export function openPool(config: PoolConfig, onError: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({ application_name: "stackyard service", ...PATIENCE, max: 20, ...config });
  pool.on("error", onError);
  // One that breaks while it is taken reports its query; without a listener the second reporting ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/** Typed queries over a pool, which stays its owner's to close. Without keys in the vault, nothing is sealed. */
export function databaseOf(pool: Pool, vault: Vault = NO_KEYS): Database {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    // What JSON columns hold keeps its own keys.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new SealPlugin(vault)],
  });
}

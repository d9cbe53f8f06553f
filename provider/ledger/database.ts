/** Connections to ledgers, kept between operations, with retries. */

import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type Client, type ClientBase } from "pg";
import { backOff } from "../../foundation/backOff";
import { LockWatch, type WatchOptions } from "./lockWatch";
import { NEWEST, MIGRATIONS } from "./migrations";
import { LOCKS, transaction } from "./transaction";
import { explain, hasLostTables, worthRetrying } from "./trouble";

// Migrates the tables of a ledger. Safe for any number of concurrent processes.

/** Version of the tables in this database; 0 if there are none. */
async function installedVersion(client: ClientBase): Promise<number> {
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
function checkVersion(version: number): void {
  if (version <= NEWEST) return;
  throw new Error(
    `the ledger has tables of version ${version}, and this release of stackyard knows them up to ${NEWEST}; ` +
      `use the release that last changed the ledger, or a newer one`,
  );
}

/** Applies all missing migrations in one transaction. */
async function migrate(client: ClientBase): Promise<void> {
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

const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than any wait for another transaction. Limits the wait for a server that hangs. */
const QUERY_TIMEOUT_MS = 60_000;
/** For canceled work: time for a statement to end and report its result, unless it waits for a lock. */
const GRACE_MS = 2_000;
/** Idle connections don't keep the process alive, and are closed soon because servers have few. */
const IDLE_MS = 5_000;
export const CONNECTIONS = 10;

const ATTEMPTS = { often: 40, "a little": 4, never: 1 } as const;
const PAUSES = { firstMs: 25, mostMs: 1_000 } as const;

interface Ledger {
  readonly pool: Pool;
  /** Version of the tables at the last check. */
  version: number;
}

/** By URL. A process works for one platform, so there is one ledger, or two while its URL changes. */
const ledgers = new Map<string, Ledger>();

export interface LedgerOptions extends WatchOptions {
  /** Stops waiting and retrying. */
  readonly signal?: AbortSignal;
  /**
   * Migrate the tables first; `existing`: only if there are any. Otherwise `work` learns whether they exist, and they
   * may be those of an earlier release. Default: true.
   */
  readonly migrate?: boolean | "existing";
}

/**
 * Runs `work` with a connection to the ledger. It runs again after a broken connection or a serialization conflict, so
 * it must be safe to repeat. `empty` is true if the database has no tables yet, which can't happen with `migrate`.
 * Errors name the ledger without its password.
 */
export async function withLedger<T>(
  url: string,
  options: LedgerOptions,
  work: (client: ClientBase, empty: boolean) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await once(url, options, work);
    } catch (error) {
      if (attempt >= ATTEMPTS[worthRetrying(error)]) throw explain(error, url);
      await sleep(backOff(attempt, PAUSES), undefined, { signal: options.signal });
    }
  }
}

async function once<T>(
  url: string,
  options: LedgerOptions,
  work: (client: ClientBase, empty: boolean) => Promise<T>,
): Promise<T> {
  const { migrate: mayMigrate = true, signal } = options;
  const ledger = ledgerAt(url);
  const client = await ledger.pool.connect();
  // The driver emits the error as an event between two statements, which would end the process; the next statement
  // reports it too.
  const ignore = () => undefined;
  client.on("error", ignore);
  let timer: NodeJS.Timeout | undefined;
  const cut = () => void (client as unknown as Client).end().catch(ignore);
  const cutSoon = () => (timer = setTimeout(cut, GRACE_MS).unref());
  signal?.addEventListener("abort", cutSoon);
  const watch = new LockWatch(client, url, options, cut);
  let broken = true;
  try {
    if (ledger.version < NEWEST) {
      ledger.version = await installedVersion(client);
      checkVersion(ledger.version);
      const migrates = mayMigrate === "existing" ? ledger.version > 0 : mayMigrate;
      if (migrates && ledger.version < NEWEST) {
        await migrate(client);
        ledger.version = NEWEST;
      }
    }
    const result = await work(client, ledger.version === 0);
    broken = false;
    return result;
  } catch (error) {
    if (hasLostTables(error)) ledger.version = 0; // The tables were dropped while this process was running.
    broken = watch.reason !== undefined || worthRetrying(error) !== "never";
    throw watch.reason ?? error;
  } finally {
    watch.stop();
    signal?.removeEventListener("abort", cutSoon);
    clearTimeout(timer);
    client.off("error", ignore);
    client.release(broken);
  }
}

function ledgerAt(url: string): Ledger {
  const known = ledgers.get(url);
  if (known) return known;
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    max: CONNECTIONS,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: "stackyard",
  });
  // The pool replaces idle connections that break.
  pool.on("error", () => undefined);
  const ledger = { pool, version: 0 };
  ledgers.set(url, ledger);
  return ledger;
}

/** Closes all connections. For programs that exit, and for tests. */
export async function closeLedgers(): Promise<void> {
  const open = [...ledgers.values()];
  ledgers.clear();
  await Promise.all(open.map((ledger) => ledger.pool.end()));
}

/** Connections to ledgers, kept between operations, with retries. */

import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import type { Client, ClientBase } from "pg";
import { backOff } from "../../foundation/backOff";
import { LockWatch, type WatchOptions } from "./lockWatch";
import { checkVersion, installedVersion, migrate } from "./migrate";
import { NEWEST } from "./migrations";
import { explain, hasLostTables, worthRetrying } from "./trouble";

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

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

const AGAIN_MS = 5_000;
/** How often the connection that holds the lock is tried: a database that is gone may not close it. */
const PULSE_MS = 10_000;

export interface LeadOptions {
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Does work in one process at a time: the one whose session holds the database's lock of this name. `work` gets a signal
 * that aborts when the lock is lost or `signal` aborts, and ends then. Work of the process before may overlap for some
 * seconds, so it must do no harm.
 */
export async function lead(
  pool: Pick<Pool, "connect">,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  { signal, onError }: LeadOptions,
): Promise<void> {
  while (!signal.aborted) {
    await leadOnce(pool, name, work, { signal, onError });
    await sleep(AGAIN_MS * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function leadOnce(
  pool: Pick<Pool, "connect">,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  { signal, onError }: LeadOptions,
): Promise<void> {
  const client = await pool.connect().catch(() => undefined);
  // The database does not answer: another process, or this one, tries again.
  if (client === undefined) return;
  const lost = new AbortController();
  const lose = (): void => lost.abort();
  client.on("error", lose);
  let isHeld = true;
  try {
    isHeld = await hasLock(client, name);
    if (isHeld) await whileHeld(client, work, AbortSignal.any([signal, lost.signal]), lose);
  } catch (error) {
    onError(error);
  } finally {
    client.off("error", lose);
    // Closing the session is what releases the lock.
    client.release(isHeld);
  }
}

async function hasLock(client: PoolClient, name: string): Promise<boolean> {
  const text = "select pg_try_advisory_lock(hashtextextended($1, 0)) as held";
  const { rows } = await client.query<{ held: boolean }>(text, [name]);
  return rows[0]?.held === true;
}

async function whileHeld(
  client: PoolClient,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  lose: () => void,
): Promise<void> {
  client.once("end", lose);
  const pulse = setInterval(() => void client.query("select 1").catch(lose), PULSE_MS).unref();
  try {
    await work(signal);
  } finally {
    clearInterval(pulse);
    client.off("end", lose);
  }
}

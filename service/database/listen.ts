import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

const AGAIN_MS = 1_000;

/**
 * Listens on a channel and reconnects when the connection breaks. Notifications during an outage are lost, so `onAgain`
 * is called each time listening starts, and subscribers can read what they missed.
 */
export function listen(
  pool: Pool,
  channel: string,
  hear: (payload: string) => void,
  onAgain: () => void = () => undefined,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const listenOn = async (client: PoolClient): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      client.once("error", () => resolve());
      client.once("end", () => resolve());
    });
    client.on("notification", ({ channel: from, payload = "" }) => from === channel && hear(payload));
    await client.query(`listen "${channel}"`);
    if (!signal.aborted) onAgain();
    await ended;
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      let client: PoolClient | undefined;
      try {
        client = await pool.connect();
        await Promise.race([listenOn(client), stopped]);
      } catch {
        // The database is unavailable: retry until stopped.
      } finally {
        // Destroy the connection: it still listens, so the pool must not reuse it.
        client?.release(true);
      }
      if (!signal.aborted) await sleep(AGAIN_MS, undefined, { ref: false });
    }
  };
  const done = work();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

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
  let stopped = false;
  let client: PoolClient | undefined;
  const work = async (): Promise<void> => {
    while (!stopped) {
      try {
        const mine = (client = await pool.connect());
        const ended = new Promise<void>((resolve) => {
          mine.once("error", () => resolve());
          mine.once("end", () => resolve());
        });
        mine.on("notification", ({ channel: from, payload = "" }) => from === channel && hear(payload));
        await mine.query(`listen "${channel}"`);
        onAgain();
        await ended;
      } catch {
        // The database is unavailable: retry until stopped.
      } finally {
        // Destroy the connection: it still listens, so the pool must not reuse it.
        client?.release(true);
        client = undefined;
      }
      if (!stopped) await sleep(AGAIN_MS, undefined, { ref: false });
    }
  };
  const done = work();
  return {
    stop: async () => {
      stopped = true;
      client?.emit("end");
      await done;
    },
  };
}

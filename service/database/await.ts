import type { Pool } from "pg";
import { isDatabaseUnavailable } from "../../foundation/net/unavailable";

const TRIES = 20;
const PAUSE_MS = 5000;

/** Waits for a database that starts together with the service. Gives up if the database rejects the connection. */
export async function untilAnswers(pool: Pool, onError: (error: unknown) => void, pauseMs = PAUSE_MS): Promise<void> {
  for (let at = 1; ; at += 1) {
    try {
      await pool.query("select 1");
      return;
    } catch (error) {
      if (at === TRIES || !isDatabaseUnavailable(error)) throw error;
      onError(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

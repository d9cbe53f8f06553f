import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../foundation/net/unavailable";

/** Tries again while PostgreSQL is killed and started: for what a test asks the database itself. */
export async function patiently<T>(work: () => Promise<T>, limitMs = 60_000): Promise<T> {
  for (const until = Date.now() + limitMs; ; await sleep(200)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > until) throw error;
    }
  }
}

import type { ClientBase } from "pg";

/** Keys of our advisory locks; no other program may use them in this database. */
export const LOCKS = { migration: "7238141909482341", registration: "7238141909482342" } as const;

/** Runs `work` in a transaction. Rolls back and rethrows if it throws. */
export async function transaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // If the rollback fails, the connection is gone and the server rolls back.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await client.query("COMMIT");
  return result;
}

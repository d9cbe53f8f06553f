import type { ClientBase } from "pg";

/** Keys of the advisory locks that we take; nobody else may use them in this database. */
export const LOCKS = { migration: "7238141909482341", registration: "7238141909482342" } as const;

/** Runs `work` between BEGIN and COMMIT; what it throws is thrown after a ROLLBACK. */
export async function transaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Where this fails the connection is gone, and the server rolls back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await client.query("COMMIT");
  return result;
}

import { Socket } from "node:net";
import { Client, escapeIdentifier } from "pg";
import type { StateAddress } from "../stateAddress";

/**
 * Waits until the state database accepts writes, on a separate connection that is closed on abort. It takes a write
 * lock and releases it at once, so it waits for the same locks as a write. Returns false if the database reports an
 * error, is unreachable, or the check was aborted: the engine then reports the problem.
 */
export async function takesWrites(
  { connection, table }: Pick<StateAddress, "connection" | "table">,
  aborted: AbortSignal,
): Promise<boolean> {
  // A custom socket, because a PostgreSQL client also waits for the server when it disconnects.
  const socket = new Socket();
  const give = (): void => void socket.destroy();
  aborted.addEventListener("abort", give);
  const client = new Client({ ...connection, stream: () => socket });
  client.on("error", give);
  try {
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${escapeIdentifier(table)} IN ROW EXCLUSIVE MODE; ROLLBACK`);
    await client.end();
    return true;
  } catch {
    return false;
  } finally {
    aborted.removeEventListener("abort", give);
    give();
  }
}

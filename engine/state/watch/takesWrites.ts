import { Socket } from "node:net";
import { Client, escapeIdentifier } from "pg";
import { stateAddress } from "../postgresTable";

/**
 * Waits until the state database can take a write, on a connection of its own that is closed when aborted. The lock is the
 * one of a write and is given back at once: it waits for whatever a write would wait for. False if the database says no,
 * is not there, or is no longer asked: that is the engine's to report.
 */
export async function takesWrites(url: string, aborted: AbortSignal): Promise<boolean> {
  const { connection, table } = stateAddress(url);
  // Our own socket, since a client that is asked to end waits for the server's answer to that too.
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

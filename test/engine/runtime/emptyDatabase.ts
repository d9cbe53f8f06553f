import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** A database with nothing in it, on a server whose URL is known. */
export interface EmptyDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** Creates a database; `prefix` is what its name begins with. */
export async function emptyDatabase(server: string, prefix: string): Promise<EmptyDatabase> {
  const name = `${prefix}_${randomBytes(5).toString("hex")}`;
  await execute(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => execute(server, `drop database ${name} with (force)`) };
}

async function execute(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

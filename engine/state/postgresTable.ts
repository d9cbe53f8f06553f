import { Client } from "pg";
import { Failure, messageOf } from "../../foundation/errors";

/** A database that does not answer is reported soon: somebody is waiting. */
const PATIENCE_MS = 10_000;

/** The table in which the CLI keeps states: one row for each file that other backends have. */
export interface StateTable {
  readonly client: Client;
  /** As it is written in SQL. */
  readonly table: string;
  /** The engine puts the path of the URL, which is the database's name, before every key. */
  readonly folder: string;
}

export interface StateRow {
  key: string;
  data: { data: string };
}

export async function connectToState(url: string): Promise<StateTable> {
  const parsed = parse(url);
  const table = parsed.searchParams.get("table") ?? "pulumi_state";
  parsed.searchParams.delete("table");
  const client = new Client({
    connectionString: parsed.toString(),
    application_name: "stackyard",
    connectionTimeoutMillis: PATIENCE_MS,
  });
  try {
    await client.connect();
  } catch (error) {
    const place = `${parsed.host}${parsed.pathname}`;
    throw new Failure(
      `the state database ${place} cannot be reached: ${reasonOf(error)}; start it (the local yard's: make up), or correct PULUMI_BACKEND_URL`,
    );
  }
  const name = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, "");
  return { client, table: client.escapeIdentifier(table), folder: name === "" ? ".pulumi" : `${name}/.pulumi` };
}

/** The table does not exist before the CLI's first look at the database. */
export const isWithoutTable = (error: unknown): boolean => (error as { code?: string }).code === "42P01";

/** `\` first, so that the escapes themselves are not escaped again. */
export const likePrefix = (prefix: string): string => `${prefix.replace(/[\\%_]/g, "\\$&")}%`;

/** The value of a row's column `data`. */
export const dataOf = (text: string): string => JSON.stringify({ data: Buffer.from(text).toString("base64") });

export const content = (row: StateRow): Buffer => Buffer.from(row.data.data, "base64");

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Failure("PULUMI_BACKEND_URL is not a URL; expected one such as postgres://user@host:5432/database");
  }
}

/** A connection that was tried on several addresses fails with one error for each. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : messageOf(error);

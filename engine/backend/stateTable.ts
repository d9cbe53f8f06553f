import { Client, type QueryResult, type QueryResultRow } from "pg";
import { Failure, messageOf } from "../../foundation/errors";
import { stateAddress } from "./stateAddress";

/** Short, because a user is waiting. */
const PATIENCE_MS = 10_000;
/**
 * Far longer than reading all states takes. Enforced by the client, because connection poolers reject session settings.
 */
const QUERY_MS = 30_000;

/** The CLI's table of states: one row per file of other backends. */
export interface StateTable {
  query<T extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<QueryResult<T>>;
  /** The rows of a query; none if the CLI has not created the table yet. */
  rows<T extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
  /** Quoted for SQL. */
  readonly table: string;
  /** The engine prefixes every key with the URL's path, which is the name of the database. */
  readonly folder: string;
}

export interface StateRow {
  key: string;
  data: { data: string };
}

export async function connectToState(url: string): Promise<StateTable> {
  const { connection, place, table, path } = stateAddress(url);
  const client = new Client({ ...connection, connectionTimeoutMillis: PATIENCE_MS, query_timeout: QUERY_MS });
  try {
    await client.connect();
  } catch (error) {
    throw new Failure(
      `the state database ${place} cannot be reached: ${reasonOf(error)}; start it (the local yard's: make up), or correct PULUMI_BACKEND_URL`,
      "state",
    );
  }
  const name = decodeURIComponent(path).replace(/^\/+|\/+$/g, "");
  const query: StateTable["query"] = async (text, values) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      throw messageOf(error) === "Query read timeout" ? new Failure(lateText(place, table), "state") : error;
    }
  };
  return {
    query,
    rows: async <T extends QueryResultRow>(text: string, values: readonly unknown[]) => {
      try {
        return (await query<T>(text, values)).rows;
      } catch (error) {
        if (isWithoutTable(error)) return [];
        throw error;
      }
    },
    close: () => client.end(),
    table: client.escapeIdentifier(table),
    folder: name === "" ? ".pulumi" : `${name}/.pulumi`,
  };
}

const lateText = (place: string, table: string): string =>
  `the state database ${place} does not answer: it hangs, or a transaction of another client locks the table ${table}. Try again when ` +
  `that has ended; who has the lock: SELECT pid FROM pg_locks WHERE relation = '${table}'::regclass`;

/** The CLI creates the table when it first uses the database. */
export const isWithoutTable = (error: unknown): boolean => (error as { code?: string }).code === "42P01";

/** Escapes `\` first, so that the escapes themselves are not escaped again. */
export const likePrefix = (prefix: string): string => `${prefix.replace(/[\\%_]/g, "\\$&")}%`;

/** Builds the value of the column `data`. */
export const dataOf = (text: string): string => JSON.stringify({ data: Buffer.from(text).toString("base64") });

export const content = (row: StateRow): Buffer => Buffer.from(row.data.data, "base64");

/** A connection attempt to several addresses fails with one error per address. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : messageOf(error);

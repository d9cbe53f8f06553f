/** Errors of PostgreSQL: which ones to retry, and how to report the others without a password. */

import { DatabaseError } from "pg";

/** The statement lost a conflict and may succeed now: serialization failure, deadlock, lock not available. */
const LOST_RACE = new Set(["40001", "40P01", "55P03"]);

/** The server is temporarily unavailable: starting, stopping, or out of connections. */
const BUSY = new Set(["57P01", "57P02", "57P03", "53300"]);

/** A prepared statement is missing or exists already: a pooler gave the connection another session. */
const POOLED = new Set(["26000", "42P05"]);

/** The connection broke, or the server is not listening yet. */
const BROKEN = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

/** Messages of `pg` without a code, for connections that end or can't be established in time. */
const BROKEN_TEXTS = [
  /^Connection terminated/,
  /connection error and is not queryable/,
  /timeout exceeded when trying to connect/,
  /^Query read timeout/,
];

/** Returns the SQLSTATE of an error that PostgreSQL reported. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether the check constraint on the slots of a host rejected the statement. */
export function isOverfull(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === "hosts_not_overfull";
}

/** Whether a schema or table that existed before is gone. */
export function hasLostTables(error: unknown): boolean {
  const state = sqlState(error);
  return state === "42P01" || state === "3F000";
}

/** How often to retry. All statements on the ledger are safe to repeat. */
export function worthRetrying(error: unknown): "often" | "a little" | "never" {
  const codes = codesOf(error);
  if (codes.some((code) => LOST_RACE.has(code) || BUSY.has(code))) return "often";
  if (hasLostTables(error) || codes.some((code) => BROKEN.has(code))) return "a little";
  return error instanceof Error && BROKEN_TEXTS.some((text) => text.test(error.message)) ? "a little" : "never";
}

function codesOf(error: unknown): string[] {
  // A name with several addresses fails once per address.
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? [error.code] : [];
}

/** Returns `host:port/database` of a PostgreSQL URL, for messages. */
export function nameOfLedger(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return "with an unreadable URL";
  }
  const host = parsed.hostname || parsed.searchParams.get("host") || "localhost";
  const database = parsed.pathname.replace(/^\//, "") || parsed.username;
  return `${host}:${parsed.port || "5432"}/${database}`;
}

/** Converts database errors to messages for users. Other errors pass unchanged. */
export function explain(error: unknown, url: string): unknown {
  const ledger = `the ledger (PostgreSQL ${nameOfLedger(url)})`;
  const state = sqlState(error);
  if (state === "28P01" || state === "28000") {
    return withCause(`${ledger} refused the login: ${text(error)}; check user and password in stackyard:ledger`, error);
  }
  if (state === "3D000") {
    return withCause(`${ledger}: ${text(error)}; create the database, or fix the name in stackyard:ledger`, error);
  }
  if (state === "42501") {
    return withCause(
      `${ledger}: ${text(error)}; its user needs to own the schema "stackyard", or the right to create it in the database`,
      error,
    );
  }
  if (state !== undefined && POOLED.has(state)) {
    return withCause(
      `${ledger}: ${text(error)}; a pooler shares its sessions among connections: use pool_mode = session of PgBouncer, or max_prepared_statements of 1.21`,
      error,
    );
  }
  if (state !== undefined) return withCause(`${ledger} failed: ${text(error)} (SQLSTATE ${state})`, error);
  if (worthRetrying(error) !== "never" || codesOf(error).includes("ENOTFOUND")) {
    return withCause(
      `${ledger} cannot be reached: ${text(error)}; see that it runs and that stackyard:ledger names it`,
      error,
    );
  }
  return error;
}

function text(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(text).join("; ");
  return error instanceof Error ? error.message : String(error);
}

const withCause = (message: string, cause: unknown): Error => new Error(message, { cause });

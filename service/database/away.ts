/**
 * PostgreSQL's codes for a server that starts, stops or is out of connections, and Node's codes for an unreachable one.
 */
const AWAY = /^(?:08\d{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const SAID =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True if the failure only means that the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return (typeof code === "string" && AWAY.test(code)) || SAID.test(error.message) || isDatabaseAway(error.cause);
}

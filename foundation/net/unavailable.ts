/**
 * PostgreSQL's codes for a server that starts, stops or is out of connections, and Node's codes for an unreachable one.
 */
const AWAY = /^(?:08\d{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const SAID =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the failure only means that the database is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return (
    (typeof code === "string" && AWAY.test(code)) || SAID.test(error.message) || isDatabaseUnavailable(error.cause)
  );
}

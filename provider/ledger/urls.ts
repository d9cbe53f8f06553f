/** Whether a text is a PostgreSQL URL with a database. With a socket, the host is in the query. */
export function isLedgerUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.hostname !== "" || url.searchParams.has("host")) && url.pathname.length > 1;
}

export const LEDGER_URL = "a PostgreSQL URL with a database, such as postgres://user:password@host:5432/stackyard";

/**
 * Returns the ledger of a resource that is being imported. The engine only passes its id, so the URL comes from the
 * environment of `pulumi import`.
 */
export function ledgerForImport(id: string): string {
  const url = process.env["STACKYARD_LEDGER_URL"];
  if (url !== undefined && isLedgerUrl(url)) return url;
  const found = url === undefined ? "it is not set" : "what it holds is none (hidden, it may be a secret)";
  throw new Error(`${id} cannot be imported without its ledger: set STACKYARD_LEDGER_URL to ${LEDGER_URL}; ${found}`);
}

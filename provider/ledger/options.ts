import type { Context } from "../../foundation/pulumi/resource";
import type { LedgerOptions } from "./database";

/** Ledger options for a call on a resource: canceled with the engine, and reporting waits in its log. */
export const ledgerOptions = ({ signal, log }: Pick<Context, "signal" | "log">): LedgerOptions => ({
  signal,
  onWait: (text) => log("info", text),
});

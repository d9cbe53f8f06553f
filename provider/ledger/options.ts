import type { Context } from "../../foundation/pulumi/resource";
import type { LedgerOptions } from "./database";

/** Of a resource's verb: it ends when the engine cancels it, and reports whom it waits for. */
export const ledgerOptions = ({ signal, log }: Pick<Context, "signal" | "log">): LedgerOptions => ({
  signal,
  onWait: (text) => log("info", text),
});

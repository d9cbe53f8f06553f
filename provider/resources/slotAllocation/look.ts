/** Compares an allocation with the ledger although its inputs did not change, so that an update restores it. */

import type { Context, Difference } from "../../../foundation/pulumi/resource";
import { messageOf } from "../../../foundation/errors";
import { ledgerOptions } from "../../ledger/options";
import { readAllocation } from "../../ledger/slots/held";
import type { Both } from "./claimant";

/** A ledger that does not answer is no reason to wait. */
const PATIENCE_MS = 3_000;

/** Empty with a warning if the ledger does not answer. */
export async function ledgerChanges(context: Context, { inputs, state }: Both): Promise<Difference["changes"]> {
  const { ledgerUrl, pool, deployment, slots } = inputs;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const held = await readAllocation(ledgerUrl, { pool, deployment }, { ...ledgerOptions(context), signal });
    if (held?.slots === slots && held.host === state.host) return {};
    const found = held === undefined ? "none" : `${held.slots} on ${held.host}`;
    context.log("info", `the ledger has ${found} of its ${slots} slots on ${state.host}; they are allocated again`);
    return { slots: "update" };
  } catch (error) {
    context.signal.throwIfAborted();
    context.log("warning", `whether the ledger still has its slots is unknown: ${messageOf(error)}`);
    return {};
  }
}

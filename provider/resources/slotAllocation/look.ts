/**
 * Compares an allocation with the ledger although its inputs did not change, so that an update restores it, and refuses
 * what another stack has taken over.
 */

import type { Context, Difference } from "../../../foundation/pulumi/resource";
import { messageOf } from "../../../foundation/errors";
import { ledgerOptions } from "../../ledger/options";
import { judgeOwner } from "../../../kubernetes/owners/judge";
import { recordFor } from "../../ledger/owners/rows";
import { readAllocation, type Held } from "../../ledger/slots/held";
import { hasSame } from "../../ledger/slots/view";
import type { SlotsClaimant } from "../../ledger/wanted";
import { slotsClaimant, type Both } from "./claimant";

/** A ledger that does not answer is no reason to wait. */
const PATIENCE_MS = 3_000;

/** Empty with a warning if the ledger does not answer. */
export async function ledgerChanges(context: Context, id: string, old: Both): Promise<Difference["changes"]> {
  const { inputs, state } = old;
  const { ledgerUrl, pool, deployment, slots } = inputs;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const held = await readAllocation(ledgerUrl, { pool, deployment }, { ...ledgerOptions(context), signal });
    // The update refuses another owner, and takes over what was offered.
    if (held && isOfOther(held, slotsClaimant(context, id, old))) return { ownerId: "update" };
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

function isOfOther({ row }: Held, claimant: SlotsClaimant): boolean {
  const verdict = judgeOwner(recordFor(row, hasSame(row, claimant)), claimant);
  return verdict !== "own" && verdict !== "free";
}

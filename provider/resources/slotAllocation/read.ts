/** Reads the slots of an allocation, for a refresh or an import. */

import type { Context } from "../../../foundation/pulumi/resource";
import { isOfSameStack, ownerText, requireOwner } from "../../../kubernetes/owners/judge";
import { ledgerOptions } from "../../ledger/options";
import { isUnowned, ownerRecordOf, slotsThing } from "../../ledger/owners/rows";
import { readAllocation, type Held } from "../../ledger/slots/held";
import { ledgerForImport } from "../../ledger/urls";
import { slotsClaimant, parseId, type Both, type SlotInputs } from "./claimant";

/**
 * A state that is older than the ledger becomes current by what is read. Slots that are gone stay in the state as none, so
 * that the next update allocates them again and what the resource recorded is kept. Undefined if there are none to import.
 */
export async function readSlots(context: Context, id: string, old: Both): Promise<Both | undefined> {
  const key = parseId(id);
  const known = typeof old.inputs.ledgerUrl === "string" ? old.inputs.ledgerUrl : old.state.ledgerUrl;
  const ledgerUrl = typeof known === "string" ? known : ledgerForImport(id);
  const held = await readAllocation(ledgerUrl, key, ledgerOptions(context));
  if (!held && typeof old.inputs.deployment !== "string") return undefined;
  if (!held) {
    context.log(
      "warning",
      `the ledger has no slots of ${key.deployment} in pool ${key.pool}; the next update allocates them`,
    );
    return { inputs: { ...old.inputs, slots: 0 }, state: { ...old.state, slots: 0 } };
  }
  const { allowMove = false, record } = old.inputs;
  const inputs = {
    ...{ ledgerUrl, ...key, slots: held.slots, allowMove },
    ...(record === undefined ? {} : { record }),
  };
  if (typeof old.inputs.deployment !== "string") return imported(context, inputs, held);
  const claimant = slotsClaimant(context, id, old);
  const { row } = held;
  if (!isUnowned(row) && row.owner !== claimant.owner) {
    const { title } = slotsThing(key.pool, key.deployment);
    context.log("warning", `${title} is not read, because it belongs to ${ownerText(ownerRecordOf(row))}`);
    return old;
  }
  const { instance } = old.inputs;
  return stateOf({ ...inputs, ...(instance !== undefined && { instance }) }, held, claimant.owner);
}

/** An import is for a state that was lost: the owner is the same stack, or the slots were offered to it. */
function imported(context: Context, inputs: SlotInputs, held: Held): Both {
  const { row } = held;
  if (isUnowned(row)) return stateOf(inputs, held, undefined);
  const record = ownerRecordOf(row);
  const claimant = slotsClaimant(context, "", { inputs });
  const adopts = isOfSameStack(record, claimant) ? record.owner : undefined;
  requireOwner(record, { ...claimant, adopts }, slotsThing(inputs.pool, inputs.deployment));
  return stateOf({ ...inputs, instance: record.owner }, held, record.owner);
}

function stateOf(inputs: SlotInputs, { row, host, audienceUrl, dataDir }: Held, ownerId: string | undefined): Both {
  const owned = isUnowned(row) || ownerId === undefined ? {} : { ownerId, generation: row.generation ?? 0 };
  return { inputs, state: { ...inputs, host, audienceUrl, dataDir, ...owned } };
}

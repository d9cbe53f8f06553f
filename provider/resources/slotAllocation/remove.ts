/** Releases the slots of an allocation. */

import { noteForeignPart } from "../../framework/foreignPart";
import { replacedInstance } from "../../framework/replaced";
import type { Context } from "../../../foundation/pulumi/resource";
import { ownerText } from "../../../kubernetes/owners/judge";
import { keptText } from "../../../kubernetes/remove/keptObjects";
import { ledgerOptions } from "../../ledger/options";
import { slotsThing } from "../../ledger/owners/rows";
import { release } from "../../ledger/slots/held";
import { slotsClaimant, parseId, type Both } from "./claimant";

export async function removeSlots(context: Context, id: string, old: Both): Promise<void> {
  const key = parseId(id);
  const other = await release(old.inputs.ledgerUrl, key, slotsClaimant(context, id, old), ledgerOptions(context));
  // Its replacement has taken the slots over in this run.
  if (other === undefined || other.owner === replacedInstance(context)) return;
  const { title } = slotsThing(key.pool, key.deployment);
  noteForeignPart(context, `${title} belongs to ${ownerText(other)}`);
  context.log("warning", keptText(title, `it belongs to ${ownerText(other)}`));
}

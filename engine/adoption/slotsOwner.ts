/** Slots that a stack of this state backend takes over from the owner that the ledger has. */

import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import { offerTo } from "../../kubernetes/owners/record";
import { closeLedgers } from "../../provider/ledger/database";
import { offerSlots } from "../../provider/ledger/slots/held";
import { Failure } from "../../foundation/errors";
import { RUNTIME_PROJECT } from "../stack/names";
import type { SlotsOrphan } from "../orphans/orphan";

/** Offers the slots to a runtime's stack, whose next update takes them over. */
export async function offerToStack(
  { id, spec, ledgerUrl, owner }: SlotsOrphan,
  stack: string,
  workspace: Workspace,
): Promise<void> {
  if (owner === undefined) throw new Failure(`the slots of ${id} were taken a moment ago; run the command again`);
  const to = offerTo({ stack: `${RUNTIME_PROJECT}/${stack}`, backend: backendName(workspace) });
  try {
    await offerSlots(ledgerUrl, { pool: spec.pool, deployment: id }, owner, to);
  } finally {
    await closeLedgers();
  }
}

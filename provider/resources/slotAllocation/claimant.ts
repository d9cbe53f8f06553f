/** The state of an allocation, and who claims its slots. */

import { replacedInstance } from "../../framework/replaced";
import type { InputsOf } from "../../framework/resourceSchema";
import type { schema } from "./slotAllocationSchema";
import type { Context } from "../../../foundation/pulumi/resource";
import { ownerIdOf } from "../../../kubernetes/identity/ownerId";
import { stackOf } from "../../../kubernetes/owners/record";
import type { SlotsKey } from "../../ledger/slots/held";
import type { SlotsClaimant } from "../../ledger/wanted";

export type SlotInputs = InputsOf<typeof schema, "allowMove"> & {
  /** Id of this allocation, chosen before it is created. Allocations of earlier releases have none. */
  readonly instance?: string;
};

export interface SlotState extends SlotInputs {
  readonly host: string;
  readonly audienceUrl: string;
  readonly dataDir: string;
  readonly ownerId?: string;
  readonly generation?: number;
  /** The engine stopped in the middle of an update, see engine/pulumi/state/pending.ts. */
  readonly interrupted?: true;
}

export interface Both {
  readonly inputs: SlotInputs;
  readonly state: SlotState;
}

/** `old`: without a state, of an allocation that is created. */
export function slotsClaimant(
  context: Pick<Context, "urn" | "backend" | "signal">,
  id: string,
  { inputs, state }: { readonly inputs: SlotInputs; readonly state?: SlotState },
): SlotsClaimant {
  const { host, slots, generation } = state ?? {};
  const replaces = state === undefined ? replacedInstance(context) : undefined;
  // The engine knows the id before it creates the allocation, and the generation after it.
  const isUnfinished = state !== undefined && generation === undefined && inputs.instance !== undefined;
  return {
    ...stackOf(context),
    owner: inputs.instance ?? ownerIdOf(context.urn, id, state ?? {}),
    generation: generation ?? 0,
    ...(replaces !== undefined && { replaces }),
    ...(host !== undefined && slots !== undefined && { has: { host, slots } }),
    ...((isUnfinished || state?.interrupted === true) && { interrupted: true }),
  };
}

export const allocationId = ({ pool, deployment }: SlotsKey): string => `${pool}/${deployment}`;

/** The pool's name contains slashes, the deployment's id does not. */
export function parseId(id: string): SlotsKey {
  const slash = id.lastIndexOf("/");
  if (slash < 1 || slash === id.length - 1) {
    throw new Error(`the id of a slot allocation is <pool>/<deployment>, such as dev/shared/my-project; found "${id}"`);
  }
  return { pool: id.slice(0, slash), deployment: id.slice(slash + 1) };
}

/** SlotAllocation: slots of a pool, allocated to a deployment. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import { noteInstance } from "../../framework/replaced";
import { checkRecord, recordChanges } from "../../framework/record";
import { UNKNOWN, hasUnknown, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { instanceOf } from "../../../kubernetes/identity/ownerId";
import { ledgerOptions } from "../../ledger/options";
import { isLedgerUrl, LEDGER_URL } from "../../ledger/urls";
import type { Placement } from "../../ledger/slots/view";
import type { SlotsClaimant, WantedSlots } from "../../ledger/wanted";
import { checkInputs, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { slotsClaimant, allocationId, type SlotInputs, type SlotState } from "./claimant";
import { schema } from "./slotAllocationSchema";

// The driver is loaded on demand: most updates only check for changes.
const ledger = {
  allocate: () => import("../../ledger/allocations.js"),
  preview: () => import("../../ledger/slots/preview.js"),
};
const work = {
  look: () => import("./look.js"),
  read: () => import("./read.js"),
  remove: () => import("./remove.js"),
};

const RULES: InputRules = {
  ledgerUrl: [LEDGER_URL, isLedgerUrl],
  pool: ["the name of a pool: <platform stack>/<provisioner>"],
  deployment: ["1 to 100 of A-Z a-z 0-9 . _ -", (text) => /^[A-Za-z0-9._-]{1,100}$/.test(text)],
  record: checkRecord,
};

export const slotAllocation: ResourceHandler<SlotInputs, SlotState> = {
  secretProperties: secretsOf(schema),

  check(context, given, origin) {
    const instance = instanceOf(origin);
    const known = origin?.old["instance"];
    if (typeof known === "string") noteInstance(context, known);
    const { inputs, failures } = checkInputs(schema, given, RULES, { defaults: { allowMove: false } });
    return Promise.resolve({ inputs: instance === undefined ? inputs : { ...inputs, instance }, failures });
  },

  async diff(context, id, old, inputs) {
    const { record: recorded, ...oldRest } = old.inputs;
    const { record, ...rest } = inputs;
    const changes = { ...changesBetween(oldRest, rest, ["pool", "deployment"]), ...recordChanges(recorded, record) };
    // A permission to move affects other changes. Alone, it needs an update only if the host is drained.
    if (!Object.keys(changes).every((path) => path === "allowMove")) return { changes };
    if (await leaves(context, inputs, slotsClaimant(context, id, old))) return { changes: { host: "update" } };
    // Slots of runtimes have a request. Others are compared with the ledger by a refresh.
    if (record === undefined || hasUnknown(inputs)) return { changes: {} };
    const { ledgerChanges } = await work.look();
    return { changes: await ledgerChanges(context, id, old) };
  },

  async create(context, inputs) {
    const claimant = slotsClaimant(context, allocationId(inputs), { inputs });
    if (context.preview) return { id: "", state: await previewState(context, inputs, claimant) };
    const { allocate } = await ledger.allocate();
    const { generation, ...placement } = await allocate(
      inputs.ledgerUrl,
      { ...inputs, claimant },
      ledgerOptions(context),
    );
    noteInstance(context, claimant.owner);
    return { id: allocationId(inputs), state: stateOf(inputs, placement, { ownerId: claimant.owner, generation }) };
  },

  async read(context, id, old) {
    return (await work.read()).readSlots(context, id, old);
  },

  async update(context, id, old, inputs) {
    const lostHost = typeof old.state.host === "string" ? old.state.host : undefined;
    const claimant = slotsClaimant(context, id, old);
    if (context.preview) return previewState(context, inputs, claimant, lostHost);
    const { allocate } = await ledger.allocate();
    const wanted = { ...inputs, lostHost, claimant };
    const { generation, ...placement } = await allocate(inputs.ledgerUrl, wanted, ledgerOptions(context));
    if (lostHost !== undefined && lostHost !== placement.host) {
      context.log("info", `moved from ${lostHost} to ${placement.host}; its data was not copied`);
    }
    return stateOf(inputs, placement, { ownerId: claimant.owner, generation });
  },

  async delete(context, id, old) {
    const { removeSlots } = await work.remove();
    await removeSlots(context, id, old);
  },
};

/** Whether the deployment would move to another host without another change. Only checked if it may move. */
async function leaves(context: Context, inputs: SlotInputs, claimant: SlotsClaimant): Promise<boolean> {
  if (inputs.allowMove !== true || hasUnknown(inputs)) return false;
  return (await ledger.preview()).wouldMove(inputs.ledgerUrl, { ...inputs, claimant }, ledgerOptions(context));
}

/** Predicts the result of the update as far as possible, without allocating slots. */
async function previewState(
  context: Context,
  inputs: SlotInputs,
  claimant: SlotsClaimant,
  lostHost?: string,
): Promise<SlotState> {
  const owned = { ownerId: claimant.owner };
  const undecided = { ...inputs, host: UNKNOWN, audienceUrl: UNKNOWN, dataDir: UNKNOWN, ...owned };
  if (hasUnknown(inputs)) return undecided;
  const { previewAllocation } = await ledger.preview();
  const wanted: WantedSlots = { ...inputs, lostHost, claimant };
  const { placement, move, warning } = await previewAllocation(inputs.ledgerUrl, wanted, ledgerOptions(context));
  if (warning !== undefined) context.log("warning", warning);
  if (move) {
    const from = move.drained ? `${move.from}, which is drained,` : move.from;
    context.log("info", `moves from ${from} to ${move.to}; its data is not copied`);
  }
  return placement ? stateOf(inputs, placement, owned) : undecided;
}

const stateOf = (
  inputs: SlotInputs,
  { host, audienceUrl, dataDir }: Placement,
  owned: Pick<SlotState, "ownerId" | "generation">,
): SlotState => ({ ...inputs, host, audienceUrl, dataDir, ...owned });

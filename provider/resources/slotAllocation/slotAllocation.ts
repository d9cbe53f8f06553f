/** SlotAllocation: slots of a pool, allocated to a deployment. */

import { changesBetween } from "../../framework/changes";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { checkRecord, recordChanges } from "../../framework/record";
import { UNKNOWN, hasUnknown } from "../../../foundation/pulumi/resource";
import type { Context, ResourceHandler } from "../../../foundation/pulumi/resource";
import type { Placement } from "../../ledger/allocations";
import type { Wanted } from "../../ledger/wanted";
import { ledgerOptions } from "../../ledger/options";
import { ledgerForImport, isLedgerUrl, LEDGER_URL } from "../../ledger/urls";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./schema";

export interface SlotInputs {
  readonly ledgerUrl: string;
  readonly pool: string;
  readonly deployment: string;
  readonly slots: number;
  readonly allowMove: boolean;
  /** Stored in the state with the allocation, see framework/record.ts. */
  readonly record?: object;
}

export interface SlotState extends SlotInputs {
  readonly host: string;
  readonly audienceUrl: string;
  readonly dataDir: string;
}

// The driver is loaded on demand: most updates only check for changes.
const ledger = () => import("../../ledger/allocations.js");

export const slotAllocation: ResourceHandler<SlotInputs, SlotState> = {
  secretProperties: secretsOf(schema),

  check(_context, given) {
    const inputs = { ...given, allowMove: given["allowMove"] ?? false };
    const check = new InputCheck();
    check.keys("", inputs, inputsOf(schema));
    check.secret("ledgerUrl", given["ledgerUrl"], LEDGER_URL, isLedgerUrl);
    check.text("pool", given["pool"], "the name of a pool: <platform stack>/<provisioner>");
    check.text("deployment", given["deployment"], "1 to 100 of A-Z a-z 0-9 . _ -", (text) =>
      /^[A-Za-z0-9._-]{1,100}$/.test(text),
    );
    check.count("slots", given["slots"]);
    check.flag("allowMove", inputs.allowMove);
    checkRecord(check, given["record"]);
    return Promise.resolve({ inputs, failures: check.failures });
  },

  async diff(context, _id, old, inputs) {
    const { record: recorded, ...oldRest } = old.inputs;
    const { record, ...rest } = inputs;
    const changes = { ...changesBetween(oldRest, rest, ["pool", "deployment"]), ...recordChanges(recorded, record) };
    // A permission to move affects other changes. Alone, it needs an update only if the host is drained.
    if (!Object.keys(changes).every((path) => path === "allowMove")) return { changes };
    return { changes: (await leaves(context, inputs)) ? { host: "update" } : {} };
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: await previewState(context, inputs) };
    const { allocate } = await ledger();
    const placement = await allocate(inputs.ledgerUrl, inputs, ledgerOptions(context));
    return { id: idOf(inputs), state: stateOf(inputs, placement) };
  },

  async read(context, id, old) {
    const { pool, deployment } = parseId(id);
    const known = typeof old.inputs.ledgerUrl === "string" ? old.inputs.ledgerUrl : old.state.ledgerUrl;
    const ledgerUrl = typeof known === "string" ? known : ledgerForImport(id);
    const { readAllocation } = await ledger();
    const placement = await readAllocation(ledgerUrl, pool, deployment, ledgerOptions(context));
    if (!placement) return undefined;
    const inputs = {
      ledgerUrl,
      pool,
      deployment,
      slots: placement.slots,
      allowMove: old.inputs.allowMove ?? false,
      ...(old.inputs.record === undefined ? {} : { record: old.inputs.record }),
    };
    return { inputs, state: stateOf(inputs, placement) };
  },

  async update(context, _id, old, inputs) {
    const lostHost = typeof old.state.host === "string" ? old.state.host : undefined;
    if (context.preview) return previewState(context, inputs, lostHost);
    const { allocate } = await ledger();
    const placement = await allocate(inputs.ledgerUrl, { ...inputs, lostHost }, ledgerOptions(context));
    if (lostHost !== undefined && lostHost !== placement.host) {
      context.log("info", `moved from ${lostHost} to ${placement.host}; its data was not copied`);
    }
    return stateOf(inputs, placement);
  },

  async delete(context, id, old) {
    const { release } = await ledger();
    const { pool, deployment } = parseId(id);
    await release(old.inputs.ledgerUrl, pool, deployment, ledgerOptions(context));
  },
};

/** Whether the deployment would move to another host without another change. Only checked if it may move. */
async function leaves(context: Context, inputs: SlotInputs): Promise<boolean> {
  if (inputs.allowMove !== true || hasUnknown(inputs)) return false;
  const { wouldMove } = await ledger();
  return wouldMove(inputs.ledgerUrl, inputs, ledgerOptions(context));
}

/** Predicts the result of the update as far as possible, without allocating slots. */
async function previewState(context: Context, inputs: SlotInputs, lostHost?: string): Promise<SlotState> {
  const undecided = { ...inputs, host: UNKNOWN, audienceUrl: UNKNOWN, dataDir: UNKNOWN };
  if (hasUnknown(inputs)) return undecided;
  const { previewAllocation } = await ledger();
  const wanted: Wanted = { ...inputs, lostHost };
  const { placement, move, warning } = await previewAllocation(inputs.ledgerUrl, wanted, ledgerOptions(context));
  if (warning !== undefined) context.log("warning", warning);
  if (move) {
    const from = move.drained ? `${move.from}, which is drained,` : move.from;
    context.log("info", `moves from ${from} to ${move.to}; its data is not copied`);
  }
  return placement ? stateOf(inputs, placement) : undecided;
}

const stateOf = (inputs: SlotInputs, { host, audienceUrl, dataDir }: Placement): SlotState => ({
  ...inputs,
  host,
  audienceUrl,
  dataDir,
});

const idOf = ({ pool, deployment }: SlotInputs): string => `${pool}/${deployment}`;

/** The pool's name contains slashes, the deployment's id does not. */
function parseId(id: string): { pool: string; deployment: string } {
  const slash = id.lastIndexOf("/");
  if (slash < 1 || slash === id.length - 1) {
    throw new Error(`the id of a slot allocation is <pool>/<deployment>, such as dev/shared/my-project; found "${id}"`);
  }
  return { pool: id.slice(0, slash), deployment: id.slice(slash + 1) };
}

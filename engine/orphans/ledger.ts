import type { Platform } from "../../components/runtime/platform/platform";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import { closeLedgers } from "../../provider/ledger/database";
import { offerSlots, readSlotOwners } from "../../provider/ledger/slots/held";
import { readUsage, type PoolUsage } from "../../provider/ledger/usage";
import { Failure } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { ownerText } from "../../kubernetes/owners/judge";
import type { KnownOwners } from "./known";
import { PATIENCE_MS, type OrphanKind, type SlotsOrphan } from "./orphan";

/** Returns the slots in the platform's pools whose owner is in no stack. Pure. */
export function slotOrphans(
  name: string,
  { provisioners, ledgerUrl = "" }: Platform,
  pools: readonly PoolUsage[],
  known: KnownOwners,
  owners: ReadonlyMap<string, OwnerRecord> = new Map(),
): SlotsOrphan[] {
  return Object.entries(provisioners).flatMap(([provisioner, spec]): SlotsOrphan[] => {
    if (spec.type !== "static") return [];
    const hosts = pools.find(({ pool }) => pool === spec.pool)?.hosts ?? [];
    return hosts.flatMap(({ host, deployments }) =>
      deployments
        .map(({ deployment: id, slots }) => ({ id, slots, owner: owners.get(`${spec.pool}/${id}`) }))
        .filter(({ id, owner }) => !known.hasSlots(spec.pool, id, owner?.owner))
        .map((slots) => ({ type: "static" as const, platform: name, provisioner, spec, ledgerUrl, host, ...slots })),
    );
  });
}

export const slotsKind: OrphanKind<SlotsOrphan> = {
  async look(name, platform, search) {
    const { ledgerUrl } = platform;
    if (ledgerUrl === undefined) return [];
    const read = await search.look(`the ledger of platform ${name}`, () => {
      const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
      return Promise.all([readUsage(ledgerUrl, undefined, options), readSlotOwners(ledgerUrl, options)]);
    });
    return read ? [(known) => slotOrphans(name, platform, read[0], known, read[1])] : [];
  },
  // Slots from before there were owners have a record with an empty id.
  record: ({ owner }) => (owner?.owner === "" ? undefined : owner),
  async offer({ id, spec, ledgerUrl, owner }, to) {
    if (owner === undefined) throw new Failure(`the slots of ${id} were taken a moment ago; run the command again`);
    try {
      await offerSlots(ledgerUrl, { pool: spec.pool, deployment: id }, owner, to);
    } finally {
      await closeLedgers();
    }
  },
  place: ({ spec, id }) => `${spec.pool}/${id}`,
  parts({ slots, spec, host, owner }) {
    const whose = owner === undefined ? "" : `, of ${ownerText(owner)}`;
    return [`${count(slots, "slot")} of pool ${spec.pool} on ${host}${whose}`];
  },
  structured({ spec, host, slots, owner }) {
    const { stack, backend, changedAt } = owner ?? {};
    return { pool: spec.pool, host, slots, stack, backend, changedAt };
  },
  async hold(name, { ledgerUrl, spec, id, slots }) {
    const { SlotAllocation } = await import("../../components/resources/slotAllocation.js");
    return new SlotAllocation(name, { ledgerUrl, pool: spec.pool, deployment: id, slots });
  },
};

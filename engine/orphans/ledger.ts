import type { Platform } from "../../components/runtime/platform/platform";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import type { PoolUsage } from "../../provider/ledger/usage";
import type { KnownOwners } from "./known";
import type { SlotsOrphan } from "./orphan";

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
        .map(({ id, slots, owner }) => ({
          type: "static" as const,
          id,
          platform: name,
          provisioner,
          spec,
          ledgerUrl,
          host,
          slots,
          owner,
        })),
    );
  });
}

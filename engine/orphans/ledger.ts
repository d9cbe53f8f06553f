import type { Platform } from "../../components/runtime/platform/platform";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import type { PoolUsage } from "../../provider/ledger/usage";
import type { Known } from "./known";
import type { SlotsOrphan } from "./orphan";

/** Returns the slots in the platform's pools whose deployment has no stack. Pure. */
export function slotOrphans(
  name: string,
  { provisioners, ledgerUrl = "" }: Platform,
  pools: readonly PoolUsage[],
  known: Known,
  owners: ReadonlyMap<string, OwnerRecord> = new Map(),
): SlotsOrphan[] {
  return Object.entries(provisioners).flatMap(([provisioner, spec]): SlotsOrphan[] => {
    if (spec.type !== "static") return [];
    const hosts = pools.find(({ pool }) => pool === spec.pool)?.hosts ?? [];
    return hosts.flatMap(({ host, deployments }) =>
      deployments
        .filter(({ deployment }) => !known.hasSlots(spec.pool, deployment))
        .map(({ deployment: id, slots }) => ({
          type: "static" as const,
          id,
          platform: name,
          provisioner,
          spec,
          ledgerUrl,
          host,
          slots,
          owner: owners.get(`${spec.pool}/${id}`),
        })),
    );
  });
}

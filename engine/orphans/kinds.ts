import type { Platform } from "../../components/runtime/platform/platform";
import type { Provisioner } from "../../components/runtime/types/registry";
import { Failure } from "../../foundation/errors";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import { count } from "../../foundation/text/numbers";
import { originOn } from "../../kubernetes/identity/origin";
import { ownerText } from "../../kubernetes/owners/judge";
import { offerTo, type OwnerRecord } from "../../kubernetes/owners/record";
import { closeLedgers } from "../../provider/ledger/database";
import { offerSlots, readSlotOwners } from "../../provider/ledger/slots/held";
import { readUsage, type PoolUsage } from "../../provider/ledger/usage";
import { RUNTIME_PROJECT } from "../stack/names";
import { setKind } from "./cluster";
import { databaseKind } from "./databases";
import { shootKind } from "./gardener/shoots";
import type { KnownOwners } from "./known";
import { type Orphan, type OrphanKind, PATIENCE_MS, type SlotsOrphan } from "./orphan";

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

const slotsKind: OrphanKind<SlotsOrphan> = {
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

type Kinds = { readonly [Type in Orphan["type"]]: OrphanKind<Extract<Orphan, { readonly type: Type }>> };

/** All kinds of orphans: runtimes by the type of their provisioner, and databases. */
export const KINDS = {
  static: slotsKind,
  kubernetes: setKind,
  gardener: shootKind,
  clickhouse: databaseKind,
} satisfies Kinds & Readonly<Record<Provisioner["type"], unknown>>;

export const kindOf = ({ type }: Orphan): OrphanKind<Orphan> => KINDS[type];

/** Lets the runtime's stack take an orphan over, unless another process has changed it since it was read. */
export async function offerToStack(orphan: Orphan, stack: string, workspace: Workspace): Promise<void> {
  const to = offerTo({ stack: `${RUNTIME_PROJECT}/${stack}`, backend: backendName(workspace) });
  await kindOf(orphan).offer?.(orphan, to);
}

/** Whether the objects of an orphan say that its deployment is protected. Slots and databases can't say it. */
export const isProtected = (orphan: Orphan): boolean =>
  (kindOf(orphan).objects?.(orphan) ?? []).some((object) => originOn(object).protected === "true");

/** Data that the removal of an orphan deletes or keeps. */
export const dataOf = (orphan: Orphan) => kindOf(orphan).data?.(orphan) ?? [];

export const partsOf = (orphan: Orphan): string[] => kindOf(orphan).parts(orphan);

/** The output of `-o json` for an orphan, without secrets. */
export function structuredOrphan(orphan: Orphan): object {
  const { id, platform, provisioner, type } = orphan;
  return { id, platform, provisioner, type, ...kindOf(orphan).structured(orphan) };
}

/** The record of an orphan that a stack of another backend owns; undefined if none does, as far as is known. */
export function foreignRecord(orphan: Orphan, backend: string): OwnerRecord | undefined {
  const record = kindOf(orphan).record?.(orphan);
  // A record that was written for an adoption which did not come about names nobody.
  return record && record.stack !== "" && record.backend !== backend ? record : undefined;
}

/** The owners of parts that belong to stacks of another backend, for messages. */
export const foreignOwners = (orphans: readonly Orphan[], backend: string): string[] => [
  ...new Set(orphans.flatMap((orphan) => foreignRecord(orphan, backend) ?? []).map(ownerText)),
];

/** Throws if a part belongs to a stack of another backend, which may be alive. */
export function refuseForeign(id: string, orphans: readonly Orphan[], backend: string): void {
  const owners = foreignOwners(orphans, backend);
  if (owners.length === 0) return;
  throw new Failure(
    `${id} belongs to ${owners.join("; and to ")}. Nothing was deleted. Destroy it from there; or take it over first: ` +
      `stackyard runtime adopt ${id}`,
  );
}

/** Lists what an adoption takes over, one line each: disks with their UIDs, and not what a removal would do to them. */
export const adoptedParts = (orphan: Orphan): string[] => kindOf(orphan).adoptedParts?.(orphan) ?? partsOf(orphan);

/** What an allocation sees of its pool, and the hosts that it may take. */

import type { ClientBase } from "pg";
import { requireOwner } from "../../../kubernetes/owners/judge";
import { noRoom, noRoomToGrow, unknownPool, UnknownPoolError } from "../messages";
import { recordFor, slotsThing, type OwnerColumns } from "../owners/rows";
import { planResize, rankHosts, type Candidate, type HostLoad } from "../planner";
import type { SlotsClaimant, WantedSlots } from "../wanted";

/** The slots of a deployment, with data of their host. */
export interface Placement {
  readonly host: string;
  readonly slots: number;
  readonly audienceUrl: string;
  readonly dataDir: string;
}

/** The row of a deployment with slots. */
export interface Row extends OwnerColumns {
  readonly host: string;
  readonly slots: number;
}

export interface View {
  readonly hosts: readonly (HostLoad & { audienceUrl: string; dataDir: string })[];
  readonly present: Row | undefined;
}

/** Reads the pool. Throws if it does not exist. */
export async function readView(client: ClientBase, wanted: WantedSlots): Promise<View> {
  const { rows } = await client.query<HostLoad & { audienceUrl: string; dataDir: string; own: Row | null }>({
    // Prepared once for each connection: planning it takes longer than running it.
    name: "stackyard view",
    text: `SELECT h.host, h.slots, h.used, p.weight, p.drain, p.audience_url AS "audienceUrl", p.data_dir AS "dataDir",
            to_jsonb(a) AS own
       FROM stackyard.pool_hosts p
       JOIN stackyard.hosts h USING (host)
       LEFT JOIN stackyard.allocations a ON a.pool = p.pool AND a.host = p.host AND a.deployment = $2
      WHERE p.pool = $1 ORDER BY p.position`,
    values: [wanted.pool, wanted.deployment],
  });
  if (rows.length === 0) {
    const pools = await client.query<{ pool: string }>("SELECT pool FROM stackyard.pools ORDER BY pool");
    const names = pools.rows.map((row) => row.pool);
    throw names.includes(wanted.pool) ? noRoom(wanted, []) : unknownPool(wanted.pool, names);
  }
  return { hosts: rows, present: rows.find((row) => row.own !== null)?.own ?? undefined };
}

/** Throws unless the resource owns the slots or may take them over. */
export function requireSlots(row: Row | undefined, { pool, deployment, claimant }: WantedSlots): void {
  requireOwner(recordFor(row, row !== undefined && hasSame(row, claimant)), claimant, slotsThing(pool, deployment));
}

/** A state that an interrupted update left may lack the newest slots. */
export const hasSame = (row: Row, { has, interrupted }: SlotsClaimant): boolean =>
  has !== undefined && has.host === row.host && (has.slots === row.slots || interrupted === true);

export function unlessUnknown(error: unknown): UnknownPoolError {
  if (error instanceof UnknownPoolError) return error;
  throw error;
}

/** Hosts for a deployment without slots, best first. */
export function candidates(wanted: WantedSlots, view: View): Candidate[] {
  const ranked = rankHosts(view.hosts, wanted.deployment, wanted.slots);
  const { lostHost } = wanted;
  // Its data is on its former host, so that one comes first, even if it is drained.
  const former = view.hosts.find((host) => host.host === lostHost && host.slots - host.used >= wanted.slots);
  if (former) return [{ host: former.host, mostUsed: former.slots - wanted.slots }];
  if (lostHost !== undefined && !wanted.allowMove) throw noRoomToGrow(wanted, lostHost, 0, view.hosts);
  return ranked;
}

/** Hosts for a deployment with slots: its own, or the hosts that it may move to. */
export function growth(wanted: WantedSlots, view: View, present: Row): readonly string[] {
  const plan = planResize(view.hosts, wanted.deployment, present, wanted.slots, wanted.allowMove ?? false);
  if (plan.kind === "refused") throw noRoomToGrow(wanted, present.host, present.slots, view.hosts);
  return plan.kind === "stay" ? [present.host] : plan.hosts;
}

export function placement(view: View, name: string, slots: number): Placement {
  const host = view.hosts.find((one) => one.host === name);
  if (!host) throw new TypeError(`host ${name} was chosen, but it is not in the pool`);
  return { host: name, slots, audienceUrl: host.audienceUrl, dataDir: host.dataDir };
}

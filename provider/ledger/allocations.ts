/** Allocates and resizes slots of a pool for deployments. */

import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import { withLedger, type LedgerOptions } from "./database";
import { noRoom } from "./messages";
import { asSeen, isAsSeen, nextRecord, OWNER_COLUMNS, ownerValues, setOwner } from "./owners/rows";
import type { Candidate } from "./planner";
import { isOverfull, sqlState } from "./trouble";
import {
  candidates,
  growth,
  readView,
  placement,
  requireSlots,
  type Placement,
  type Row,
  type View,
} from "./slots/view";
import type { WantedSlots } from "./wanted";

/** Slots that a resource owns since its last change. */
export interface Allocated extends Placement {
  readonly generation: number;
}

/** One call. A repeated statement after a lost response finds its own id in the row. */
interface Change {
  readonly wanted: WantedSlots;
  readonly id: string;
  /** The record that the change writes. */
  readonly next: OwnerRecord;
}

/** Number of hosts that one attempt considers. */
const TRIED_AT_ONCE = 20;

/**
 * Allocates `slots` slots of the pool to the deployment. A deployment with slots in the pool stays on its host and is
 * resized; a new one gets the least loaded host. Throws if another resource owns its slots, or, with the free slots of
 * each host, if there is no room.
 */
export async function allocate(url: string, wanted: WantedSlots, options: LedgerOptions = {}): Promise<Allocated> {
  const id = randomUUID();
  return withLedger(url, { ...options, migrate: true }, async (client) => {
    for (;;) {
      options.signal?.throwIfAborted();
      const view = await readView(client, wanted);
      const { present } = view;
      if (present?.change_id === id) return allocated(view, present.host, present.slots, present.generation ?? 0);
      requireSlots(present, wanted);
      const change = { wanted, id, next: nextRecord(present, wanted.claimant) };
      const host = present ? await resize(client, change, view, present) : await take(client, change, view);
      if (host !== undefined) return allocated(view, host, wanted.slots, change.next.generation);
    }
  });
}

const allocated = (view: View, host: string, slots: number, generation: number): Allocated => ({
  ...placement(view, host, slots),
  generation,
});

/**
 * Allocates slots on the best host in one statement. Hosts that another allocation has locked are skipped, so that
 * allocations don't queue up. If all suitable hosts are locked, it waits only for the best one, because waiting for a
 * host while holding another one can deadlock. Undefined means that concurrent allocations won, and the pool must be
 * read again.
 */
async function take(client: ClientBase, change: Change, view: View): Promise<string | undefined> {
  const hosts = candidates(change.wanted, view).slice(0, TRIED_AT_ONCE);
  if (hosts.length === 0) throw noRoom(change.wanted, view.hosts);
  try {
    return (
      (await allocateOn(client, change, hosts, "SKIP LOCKED")) ??
      (await allocateOn(client, change, hosts.slice(0, 1), ""))
    );
  } catch (error) {
    if (lostRace(error)) return undefined;
    throw error;
  }
}

/** Two owners of one deployment: the primary key lets one of them win. */
async function allocateOn(
  client: ClientBase,
  { wanted, id, next }: Change,
  hosts: readonly Candidate[],
  locking: "SKIP LOCKED" | "",
): Promise<string | undefined> {
  const { rows } = await client.query<{ host: string }>({
    name: `stackyard take ${locking}`,
    text: `WITH chosen AS (
       SELECT h.host
         FROM stackyard.hosts h
         JOIN unnest($4::text[], $5::int[]) WITH ORDINALITY AS r (host, most_used, rank) USING (host)
        WHERE h.used <= r.most_used AND h.used + $3 <= h.slots
        ORDER BY r.rank LIMIT 1 FOR NO KEY UPDATE OF h ${locking})
     INSERT INTO stackyard.allocations (pool, deployment, slots, host, ${OWNER_COLUMNS})
     SELECT $1, $2, $3, host, $6, $7, $8, $9::int, $10::int, $11, $12 FROM chosen RETURNING host`,
    values: [
      wanted.pool,
      wanted.deployment,
      wanted.slots,
      hosts.map((candidate) => candidate.host),
      hosts.map((candidate) => candidate.mostUsed),
      ...ownerValues(next, id),
    ],
  });
  return rows[0]?.host;
}

/** Also records a change of the request alone, so that an older state is noticed. */
async function resize(
  client: ClientBase,
  { wanted, id, next }: Change,
  view: View,
  present: Row,
): Promise<string | undefined> {
  for (const host of growth(wanted, view, present)) {
    try {
      const { rowCount } = await client.query(
        `UPDATE stackyard.allocations SET host = $3, slots = $4, ${setOwner(9)}
          WHERE pool = $1 AND deployment = $2 AND host = $5 AND slots = $6 AND ${isAsSeen(7)}`,
        [
          ...[wanted.pool, wanted.deployment, host, wanted.slots],
          ...[present.host, present.slots, ...asSeen(present)],
          ...ownerValues(next, id),
        ],
      );
      return rowCount === 1 ? host : undefined;
    } catch (error) {
      if (!lostRace(error)) throw error;
    }
  }
  return undefined;
}

/** The host is full by now or left the pool, or another process allocated the slots. */
const lostRace = (error: unknown): boolean => isOverfull(error) || ["23503", "23505"].includes(sqlState(error) ?? "");

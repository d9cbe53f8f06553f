/** Reads, releases and offers the slots of one deployment. */

import type { ClientBase } from "pg";
import { judgeOwner, OwnerError, requireOwner } from "../../../kubernetes/owners/judge";
import type { OwnerRecord } from "../../../kubernetes/owners/record";
import { withLedger, type LedgerOptions } from "../database";
import { asSeen, isAsSeen, recordFor, ownerRecordOf, slotsThing } from "../owners/rows";
import { hasSame, type Placement, type Row } from "./view";
import type { SlotsClaimant } from "../wanted";

/** A deployment in a pool. */
export interface SlotsKey {
  readonly pool: string;
  readonly deployment: string;
}

export interface Held extends Placement {
  readonly row: Row;
}

/** Returns the slots of the deployment; undefined if it has none. */
export async function readAllocation(
  url: string,
  { pool, deployment }: SlotsKey,
  options: LedgerOptions = {},
): Promise<Held | undefined> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return undefined;
    const { rows } = await client.query<Held>(
      `SELECT a.host, a.slots, h.audience_url AS "audienceUrl", h.data_dir AS "dataDir", to_jsonb(a) AS row
         FROM stackyard.allocations a JOIN stackyard.pool_hosts h USING (pool, host)
        WHERE a.pool = $1 AND a.deployment = $2`,
      [pool, deployment],
    );
    return rows[0];
  });
}

/**
 * Releases the slots of the deployment in the pool. Succeeds if it has none. Slots of another owner stay; then returns
 * the owner. Throws for a state that is older than the slots.
 */
export async function release(
  url: string,
  key: SlotsKey,
  claimant: SlotsClaimant,
  options: LedgerOptions = {},
): Promise<OwnerRecord | undefined> {
  const { pool, deployment } = key;
  return withLedger(url, { ...options, migrate: "existing" }, async (client, empty) => {
    while (!empty) {
      options.signal?.throwIfAborted();
      const row = await rowOf(client, key);
      if (row === undefined) return undefined;
      const record = recordFor(row, hasSame(row, claimant));
      if (judgeOwner(record, claimant) === "foreign") return record;
      requireOwner(record, claimant, slotsThing(pool, deployment));
      const { rowCount } = await client.query(
        `DELETE FROM stackyard.allocations WHERE pool = $1 AND deployment = $2 AND ${isAsSeen(3)}`,
        [pool, deployment, ...asSeen(row)],
      );
      if (rowCount === 1) return undefined;
    }
    return undefined;
  });
}

/**
 * Lets a stack take the slots over with its next update; `to`: see offerTo(). Throws if they were changed since they
 * were read as `seen`.
 */
export async function offerSlots(
  url: string,
  { pool, deployment }: SlotsKey,
  seen: Pick<OwnerRecord, "owner" | "generation">,
  to: string,
  options: LedgerOptions = {},
): Promise<void> {
  await withLedger(url, { ...options, migrate: "existing" }, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE stackyard.allocations SET offered_to = $5
        WHERE pool = $1 AND deployment = $2 AND ${isAsSeen(3)}`,
      [pool, deployment, seen.owner || null, seen.generation, to],
    );
    if (rowCount === 1) return;
    const { title, adopt } = slotsThing(pool, deployment);
    throw new OwnerError(
      `${title} was changed by another process since it was shown. Nothing was changed. Run again: ${adopt}`,
    );
  });
}

/** The owners of all slots in the ledger, by the name of the pool and the deployment. Changes nothing. */
export async function readSlotOwners(url: string, options: LedgerOptions = {}): Promise<Map<string, OwnerRecord>> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return new Map<string, OwnerRecord>();
    const { rows } = await client.query<SlotsKey & { row: Row }>(
      "SELECT pool, deployment, to_jsonb(a) AS row FROM stackyard.allocations a",
    );
    return new Map(rows.map(({ pool, deployment, row }) => [`${pool}/${deployment}`, ownerRecordOf(row)]));
  });
}

async function rowOf(client: ClientBase, { pool, deployment }: SlotsKey): Promise<Row | undefined> {
  const { rows } = await client.query<{ row: Row }>(
    "SELECT to_jsonb(a) AS row FROM stackyard.allocations a WHERE pool = $1 AND deployment = $2",
    [pool, deployment],
  );
  return rows[0]?.row;
}

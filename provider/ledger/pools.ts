/** Reads and removes pools in the ledger. */

import type { ClientBase } from "pg";
import { judgeOwner, requireOwner } from "../../kubernetes/owners/judge";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import { withLedger, type LedgerOptions } from "./database";
import { deployments, type SlotsHeld } from "./messages";
import { poolThing, type OwnerColumns } from "./owners/rows";
import { readOwnedPool, recordOfPool, type PoolClaimant } from "./owners/pool";
import { howToRemove } from "../removalAllowance";
import { LOCKS, transaction } from "./transaction";

/** A pre-provisioned runtime of a pool. */
export interface PoolHost {
  /** URL of the runtime; unique in the ledger. */
  readonly host: string;
  readonly slots: number;
  readonly dataDir: string;
  readonly audienceUrl: string;
  /** Relative weight: a host of weight 2 counts as half as full. */
  readonly weight: number;
  /** If true, keeps its deployments and gets no new ones. */
  readonly drain: boolean;
}

/**
 * Updates hosts that left a pool: a host without a pool is deleted; otherwise the remaining pools determine its size.
 */
export async function settleHosts(client: ClientBase, hosts: readonly string[]): Promise<void> {
  await client.query(
    `DELETE FROM stackyard.hosts h WHERE h.host = ANY($1)
       AND NOT EXISTS (SELECT FROM stackyard.pool_hosts p WHERE p.host = h.host)`,
    [hosts],
  );
  await client.query(
    `UPDATE stackyard.hosts h SET slots = p.slots
       FROM (SELECT host, min(slots) AS slots FROM stackyard.pool_hosts WHERE host = ANY($1) GROUP BY host) p
      WHERE p.host = h.host AND p.slots <> h.slots`,
    [hosts],
  );
}

/** What became of a pool that was to be removed. */
export interface Removal {
  /** Text about the deployments that lost their slots. */
  readonly lost?: string;
  /** The owner of a pool that was left alone, because it belongs to another resource. */
  readonly other?: OwnerRecord;
}

/**
 * Removes a pool. Fails while deployments have slots in it, unless their loss is allowed. Succeeds if the pool does not
 * exist, and leaves the pool of another owner alone.
 */
export async function removePool(
  url: string,
  pool: string,
  claimant: PoolClaimant,
  options: LedgerOptions & { readonly withAllocations?: boolean } = {},
): Promise<Removal> {
  return withLedger(url, { ...options, migrate: "existing" }, async (client, empty) => {
    if (empty) return {};
    return transaction(client, async () => {
      await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.registration})`);
      const known = await readOwnedPool(client, pool, "FOR UPDATE");
      const record = recordOfPool(known, claimant);
      if (record !== undefined && judgeOwner(record, claimant) === "foreign") return { other: record };
      requireOwner(record, claimant, poolThing(pool));
      const hosts = await client.query<{ host: string }>(
        `SELECT host FROM stackyard.hosts
          WHERE host IN (SELECT host FROM stackyard.pool_hosts WHERE pool = $1) ORDER BY host FOR UPDATE`,
        [pool],
      );
      const taken = await client.query<SlotsHeld>(
        "SELECT deployment, slots FROM stackyard.allocations WHERE pool = $1 ORDER BY deployment",
        [pool],
      );
      if (taken.rows.length > 0 && options.withAllocations !== true) {
        const provisioner = pool.slice(pool.lastIndexOf("/") + 1);
        throw new Error(
          `pool ${pool} cannot be removed while it has ${deployments(taken.rows)}. ${howToRemove(provisioner)}`,
        );
      }
      await client.query("DELETE FROM stackyard.allocations WHERE pool = $1", [pool]);
      await client.query("DELETE FROM stackyard.pools WHERE pool = $1", [pool]);
      await settleHosts(
        client,
        hosts.rows.map((row) => row.host),
      );
      return taken.rows.length > 0 ? { lost: deployments(taken.rows) } : {};
    });
  });
}

/** A pool with the owner that the ledger has. */
export interface OwnedPool {
  readonly hosts: PoolHost[];
  readonly row: OwnerColumns;
}

/** Returns the pool, hosts in registration order; undefined if it does not exist. */
export async function readPool(url: string, pool: string, options: LedgerOptions = {}): Promise<OwnedPool | undefined> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return undefined;
    const known = await readOwnedPool(client, pool, "");
    if (known === undefined) return undefined;
    const { rows } = await client.query<PoolHost>(
      `SELECT host, slots, data_dir AS "dataDir", audience_url AS "audienceUrl", weight, drain
         FROM stackyard.pool_hosts WHERE pool = $1 ORDER BY position`,
      [pool],
    );
    return { hosts: rows, row: known.row };
  });
}

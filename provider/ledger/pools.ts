/** Reads and removes pools in the ledger. */

import type { ClientBase } from "pg";
import { withLedger } from "./database";
import type { LedgerOptions } from "./database";
import { deployments } from "./messages";
import type { SlotsHeld } from "./messages";
import { howToRemove } from "../resources/provisionerRegistration/allowance";
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

/**
 * Removes a pool. Fails while deployments have slots in it, unless their loss is allowed; then returns a text about
 * them. Succeeds if the pool does not exist.
 */
export async function removePool(
  url: string,
  pool: string,
  options: LedgerOptions & { readonly withAllocations?: boolean } = {},
): Promise<string | undefined> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return undefined;
    return transaction(client, async () => {
      await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.registration})`);
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
      return taken.rows.length > 0 ? deployments(taken.rows) : undefined;
    });
  });
}

/** Returns the hosts of a pool in registration order; undefined if the pool does not exist. */
export async function readPool(
  url: string,
  pool: string,
  options: LedgerOptions = {},
): Promise<PoolHost[] | undefined> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return undefined;
    const { rows } = await client.query<PoolHost & { host: string | null }>(
      `SELECT h.host, h.slots, h.data_dir AS "dataDir", h.audience_url AS "audienceUrl", h.weight, h.drain
         FROM stackyard.pools p LEFT JOIN stackyard.pool_hosts h USING (pool) WHERE p.pool = $1 ORDER BY h.position`,
      [pool],
    );
    if (rows.length === 0) return undefined;
    return rows.filter((row) => row.host !== null);
  });
}

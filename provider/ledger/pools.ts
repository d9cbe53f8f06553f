/** Pools in the ledger: read, and removed. */

import type { ClientBase } from "pg";
import { withLedger } from "./database";
import type { LedgerOptions } from "./database";
import { deployments } from "./messages";
import type { Taken } from "./messages";
import { howToRemove } from "../resources/provisionerRegistration/allowance";
import { LOCKS, transaction } from "./transaction";

/** One pre-provisioned runtime of a pool. */
export interface PoolHost {
  /** URL of the runtime; identifies it in the whole ledger. */
  readonly host: string;
  readonly slots: number;
  readonly dataDir: string;
  readonly audienceUrl: string;
  /** A host of weight 2 counts as half as full. */
  readonly weight: number;
  /** True keeps what the host has and gives it nothing new. */
  readonly drain: boolean;
}

/** Hosts that this pool gave up: gone when no pool names them, else as large as those that are left say. */
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
 * Takes the pool away; refused while deployments have slots in it, unless they may lose them: then it says in words which
 * ones did. A pool that is not there is no error.
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
      const taken = await client.query<Taken>(
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

/** The hosts of a pool as they were registered, in that order; undefined when there is no such pool. */
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

/** Used and free slots, for display. */

import { withLedger, type LedgerOptions } from "./database";

export interface HostUsage {
  readonly host: string;
  readonly slots: number;
  /** Slots used on this host by all pools. */
  readonly used: number;
  readonly free: number;
  readonly drain: boolean;
  /** The deployments of this pool, by id. */
  readonly deployments: readonly { readonly deployment: string; readonly slots: number }[];
}

export interface PoolUsage {
  readonly pool: string;
  /** In the order of the config. */
  readonly hosts: readonly HostUsage[];
}

/**
 * Reads the usage of all pools, or of one. Empty for an unknown pool and for a ledger without tables. Changes nothing.
 */
export async function readUsage(url: string, pool?: string, options: LedgerOptions = {}): Promise<PoolUsage[]> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return [];
    const { rows } = await client.query<{ pool: string; hosts: HostUsage[] }>(
      `SELECT p.pool,
              coalesce(jsonb_agg(jsonb_build_object(
                'host', h.host, 'slots', h.slots, 'used', h.used, 'free', h.slots - h.used, 'drain', ph.drain,
                'deployments', (
                  SELECT coalesce(jsonb_agg(jsonb_build_object('deployment', a.deployment, 'slots', a.slots)
                                            ORDER BY a.deployment), '[]')
                    FROM stackyard.allocations a WHERE a.pool = p.pool AND a.host = h.host)
              ) ORDER BY ph.position) FILTER (WHERE h.host IS NOT NULL), '[]') AS hosts
         FROM stackyard.pools p
         LEFT JOIN stackyard.pool_hosts ph USING (pool)
         LEFT JOIN stackyard.hosts h ON h.host = ph.host
        WHERE $1::text IS NULL OR p.pool = $1
        GROUP BY p.pool ORDER BY p.pool`,
      [pool ?? null],
    );
    return rows;
  });
}

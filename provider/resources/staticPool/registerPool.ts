/** Registers a pool: compares the hosts of a platform stack with the slots in use. */

import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { withLedger, type LedgerOptions } from "../../ledger/database";
import { deployments, type SlotsHeld } from "../../ledger/messages";
import { nextRecord, OWNER_COLUMNS, ownerValues, setOwner } from "../../ledger/owners/rows";
import { readOwnedPool, requirePool, type PoolClaimant } from "../../ledger/owners/pool";
import { settleHosts, type PoolHost } from "../../ledger/pools";
import { LOCKS, transaction } from "../../ledger/transaction";

export interface Registration {
  /** Warnings for the user of a successful registration. */
  readonly warnings: readonly string[];
  /** Of the registered pool. */
  readonly generation: number;
}

/**
 * Sets the hosts of the pool, in one transaction. Throws if another resource owns the pool, if deployments of this pool
 * are on a removed host, or if a host would become smaller than its used slots. If pools that share a host disagree
 * about its size, the smallest one applies, so that both can be changed one after the other; a warning reports it. With
 * `dryRun`, checks everything and changes nothing.
 */
export async function registerPool(
  url: string,
  pool: string,
  hosts: readonly PoolHost[],
  claimant: PoolClaimant,
  options: LedgerOptions & { readonly dryRun?: boolean } = {},
): Promise<Registration> {
  const dryRun = options.dryRun ?? false;
  const changeId = randomUUID();
  return withLedger(url, { ...options, migrate: !dryRun }, async (client, empty) => {
    if (empty) return { warnings: [], generation: 0 };
    return transaction(client, async () => {
      // One registration at a time: two that share a host would otherwise each see the other's old size.
      if (!dryRun) await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.registration})`);
      const known = await readOwnedPool(client, pool, dryRun ? "" : "FOR UPDATE");
      // The response to the transaction was lost, and it is repeated.
      const isRepeated = known?.row.change_id === changeId;
      if (!isRepeated) requirePool(known, pool, claimant, hosts);
      const next = nextRecord(known?.row, claimant);
      const warnings = await register(client, pool, hosts, dryRun ? undefined : ownerValues(next, changeId));
      return { warnings, generation: next.generation };
    });
  });
}

/** Without an owner, only checks. */
async function register(
  client: ClientBase,
  pool: string,
  hosts: readonly PoolHost[],
  owner: readonly unknown[] | undefined,
): Promise<string[]> {
  const before = await client.query<{ host: string }>("SELECT host FROM stackyard.pool_hosts WHERE pool = $1", [pool]);
  const names = hosts.map((host) => host.host);
  const removed = before.rows.map((row) => row.host).filter((host) => !names.includes(host));

  // Locks the hosts, so that no allocation changes their used slots.
  const lock = owner === undefined ? "" : "FOR UPDATE";
  const locked = await client.query<{ host: string; slots: number; used: number }>(
    `SELECT host, slots, used FROM stackyard.hosts WHERE host = ANY($1) ORDER BY host ${lock}`,
    [[...names, ...removed]],
  );
  const used = new Map(locked.rows.map((row) => [row.host, row.used]));
  await refuseRemoval(client, pool, removed);

  const others = await client.query<{ host: string; pool: string; slots: number }>(
    "SELECT host, pool, slots FROM stackyard.pool_hosts WHERE pool <> $1 AND host = ANY($2) ORDER BY host, pool",
    [pool, [...names, ...removed]],
  );
  const warnings: string[] = [];
  const sizes = new Map<string, number>();
  for (const host of hosts) {
    const elsewhere = others.rows.filter((row) => row.host === host.host);
    const size = Math.min(host.slots, ...elsewhere.map((row) => row.slots));
    sizes.set(host.host, size);
    const different = elsewhere.filter((row) => row.slots !== host.slots);
    if (different.length > 0) {
      const said = different.map((row) => `${row.slots} in pool ${row.pool}`).join(", ");
      warnings.push(
        `host ${host.host} has ${host.slots} slots in pool ${pool}, but ${said}; ` +
          `${size} count until all pools say the same`,
      );
    }
    await refuseShrinking(client, pool, host, size, used.get(host.host) ?? 0);
  }
  if (owner !== undefined) await write(client, pool, hosts, sizes, removed, owner);
  return warnings;
}

async function refuseRemoval(client: ClientBase, pool: string, removed: readonly string[]): Promise<void> {
  const taken = await client.query<SlotsHeld & { host: string }>(
    "SELECT host, deployment, slots FROM stackyard.allocations WHERE pool = $1 AND host = ANY($2) ORDER BY host, deployment",
    [pool, removed],
  );
  if (taken.rows.length === 0) return;
  const inUse = removed
    .map((host) => ({ host, on: taken.rows.filter((row) => row.host === host) }))
    .filter(({ on }) => on.length > 0)
    .map(({ host, on }) => `host ${host} has ${deployments(on)}`);
  throw new Error(
    `pool ${pool}: a host that is in use cannot be removed: ${inUse.join("; ")}. ` +
      `Keep it with "drain: true", move or destroy these deployments, then remove it`,
  );
}

async function refuseShrinking(
  client: ClientBase,
  pool: string,
  host: PoolHost,
  size: number,
  used: number,
): Promise<void> {
  if (used <= size) return;
  const on = await client.query<SlotsHeld>(
    "SELECT deployment, slots FROM stackyard.allocations WHERE host = $1 ORDER BY deployment",
    [host.host],
  );
  throw new Error(
    `pool ${pool}: host ${host.host} cannot shrink to ${size} slots, because ${used} are taken: ${deployments(on.rows)}. ` +
      `Give it ${used} or more, or make room first ("drain: true" keeps new deployments away)`,
  );
}

async function write(
  client: ClientBase,
  pool: string,
  hosts: readonly PoolHost[],
  sizes: ReadonlyMap<string, number>,
  removed: readonly string[],
  owner: readonly unknown[],
): Promise<void> {
  await client.query(
    `INSERT INTO stackyard.pools (pool, ${OWNER_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (pool) DO UPDATE SET ${setOwner(2)}`,
    [pool, ...owner],
  );
  await client.query("DELETE FROM stackyard.pool_hosts WHERE pool = $1 AND host = ANY($2)", [pool, removed]);
  for (const [position, host] of hosts.entries()) {
    await client.query(
      `INSERT INTO stackyard.hosts (host, slots) VALUES ($1, $2)
       ON CONFLICT (host) DO UPDATE SET slots = EXCLUDED.slots WHERE stackyard.hosts.slots <> EXCLUDED.slots`,
      [host.host, sizes.get(host.host)],
    );
    await client.query(
      `INSERT INTO stackyard.pool_hosts (pool, host, slots, data_dir, audience_url, weight, drain, position)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (pool, host) DO UPDATE SET slots = EXCLUDED.slots, data_dir = EXCLUDED.data_dir,
         audience_url = EXCLUDED.audience_url, weight = EXCLUDED.weight, drain = EXCLUDED.drain,
         position = EXCLUDED.position`,
      [pool, host.host, host.slots, host.dataDir, host.audienceUrl, host.weight, host.drain, position],
    );
  }
  await settleHosts(client, removed);
}

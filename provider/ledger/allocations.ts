/** Allocates, resizes and releases slots of a pool for deployments. */

import type { ClientBase } from "pg";
import { withLedger } from "./database";
import type { LedgerOptions } from "./database";
import { noRoom, noRoomToGrow, unknownPool, UnknownPoolError } from "./messages";
import { planResize, rankHosts } from "./planner";
import type { Candidate, HostLoad } from "./planner";
import { isOverfull, sqlState } from "./trouble";
import type { Wanted } from "./wanted";

/** The slots of a deployment, with data of their host. */
export interface Placement {
  readonly host: string;
  readonly slots: number;
  readonly audienceUrl: string;
  readonly dataDir: string;
}

/** Number of hosts that one attempt considers. */
const TRIED_AT_ONCE = 20;

interface View {
  readonly hosts: readonly (HostLoad & { audienceUrl: string; dataDir: string })[];
  readonly present: { readonly host: string; readonly slots: number } | undefined;
}

/**
 * Allocates `slots` slots of the pool to the deployment. A deployment with slots in the pool stays on its host and is
 * resized; a new one gets the least loaded host. Idempotent: a repeated call, for example after a lost response,
 * returns the same host. Throws, with the free slots of each host, if there is no room.
 */
export async function allocate(url: string, wanted: Wanted, options: LedgerOptions = {}): Promise<Placement> {
  return withLedger(url, { ...options, migrate: true }, async (client) => {
    for (;;) {
      options.signal?.throwIfAborted();
      const view = await look(client, wanted);
      const host = view.present ? await resize(client, wanted, view, view.present) : await take(client, wanted, view);
      if (host !== undefined) return placement(view, host, wanted.slots);
    }
  });
}

/** A move of a deployment to another host. */
export interface Move {
  readonly from: string;
  /** The best host at this moment. */
  readonly to: string;
  /** Whether the reason is that the host is drained. */
  readonly drained: boolean;
}

export interface AllocationPreview {
  /** Undefined if the host is only decided when the slots are allocated. */
  readonly placement?: Placement;
  readonly move?: Move;
  /** Why the allocation may fail if nothing changes until then. */
  readonly warning?: string;
}

/**
 * Predicts the result of {@link allocate}, with the same errors, without allocating. An unknown pool is only a warning:
 * the same update may create it.
 */
export async function previewAllocation(
  url: string,
  wanted: Wanted,
  options: LedgerOptions = {},
): Promise<AllocationPreview> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    const view = empty ? unknownPool(wanted.pool, []) : await look(client, wanted).catch(unlessUnknown);
    if (view instanceof UnknownPoolError) return { warning: view.message };
    const [host] = view.present
      ? growth(wanted, view, view.present)
      : candidates(wanted, view).map((candidate) => candidate.host);
    if (host === undefined) throw noRoom(wanted, view.hosts);
    const from = view.present?.host ?? wanted.lostHost;
    if (host === from) return { placement: placement(view, host, wanted.slots) };
    if (from === undefined) return {};
    return { move: { from, to: host, drained: view.hosts.some((one) => one.host === from && one.drain) } };
  });
}

/** Whether {@link allocate} would move the deployment although it already has the desired slots. Changes nothing. */
export async function wouldMove(url: string, wanted: Wanted, options: LedgerOptions = {}): Promise<boolean> {
  if (!wanted.allowMove) return false;
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    const view = empty ? undefined : await look(client, wanted).catch(unlessUnknown);
    if (view === undefined || view instanceof UnknownPoolError || !view.present) return false;
    return growth(wanted, view, view.present)[0] !== view.present.host;
  });
}

/** Returns the slots of the deployment; undefined if it has none. */
export async function readAllocation(
  url: string,
  pool: string,
  deployment: string,
  options: LedgerOptions = {},
): Promise<Placement | undefined> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return undefined;
    const { rows } = await client.query<Placement>(
      `SELECT a.host, a.slots, h.audience_url AS "audienceUrl", h.data_dir AS "dataDir"
         FROM stackyard.allocations a JOIN stackyard.pool_hosts h USING (pool, host)
        WHERE a.pool = $1 AND a.deployment = $2`,
      [pool, deployment],
    );
    return rows[0];
  });
}

/** Releases the slots of the deployment in the pool. Succeeds if it has none. */
export async function release(url: string, pool: string, deployment: string, options: LedgerOptions = {}) {
  await withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    if (empty) return;
    await client.query("DELETE FROM stackyard.allocations WHERE pool = $1 AND deployment = $2", [pool, deployment]);
  });
}

function unlessUnknown(error: unknown): UnknownPoolError {
  if (error instanceof UnknownPoolError) return error;
  throw error;
}

/** Reads the pool. Throws if it does not exist. */
async function look(client: ClientBase, wanted: Wanted): Promise<View> {
  const { rows } = await client.query<HostLoad & { audienceUrl: string; dataDir: string; own: number | null }>(
    `SELECT h.host, h.slots, h.used, p.weight, p.drain, p.audience_url AS "audienceUrl", p.data_dir AS "dataDir",
            a.slots AS own
       FROM stackyard.pool_hosts p
       JOIN stackyard.hosts h USING (host)
       LEFT JOIN stackyard.allocations a ON a.pool = p.pool AND a.host = p.host AND a.deployment = $2
      WHERE p.pool = $1 ORDER BY p.position`,
    [wanted.pool, wanted.deployment],
  );
  if (rows.length === 0) {
    const pools = await client.query<{ pool: string }>("SELECT pool FROM stackyard.pools ORDER BY pool");
    const names = pools.rows.map((row) => row.pool);
    throw names.includes(wanted.pool) ? noRoom(wanted, []) : unknownPool(wanted.pool, names);
  }
  const present = rows.find((row) => row.own !== null);
  return { hosts: rows, present: present && { host: present.host, slots: present.own ?? 0 } };
}

/** Hosts for a deployment without slots, best first. */
function candidates(wanted: Wanted, view: View): Candidate[] {
  const ranked = rankHosts(view.hosts, wanted.deployment, wanted.slots);
  const { lostHost } = wanted;
  // Its data is on its former host, so that one comes first, even if it is drained.
  const former = view.hosts.find((host) => host.host === lostHost && host.slots - host.used >= wanted.slots);
  if (former) return [{ host: former.host, mostUsed: former.slots - wanted.slots }];
  if (lostHost !== undefined && !wanted.allowMove) throw noRoomToGrow(wanted, lostHost, 0, view.hosts);
  return ranked;
}

/** Hosts for a deployment with slots: its own, or the hosts that it may move to. */
function growth(wanted: Wanted, view: View, present: { host: string; slots: number }): readonly string[] {
  const plan = planResize(view.hosts, wanted.deployment, present, wanted.slots, wanted.allowMove ?? false);
  if (plan.kind === "refused") throw noRoomToGrow(wanted, present.host, present.slots, view.hosts);
  return plan.kind === "stay" ? [present.host] : plan.hosts;
}

/**
 * Allocates slots on the best host in one statement. Hosts that another allocation has locked are skipped, so that
 * allocations don't queue up. If all suitable hosts are locked, it waits only for the best one, because waiting for a
 * host while holding another one can deadlock. Undefined means that concurrent allocations won, and the pool must be
 * read again.
 */
async function take(client: ClientBase, wanted: Wanted, view: View): Promise<string | undefined> {
  const hosts = candidates(wanted, view).slice(0, TRIED_AT_ONCE);
  if (hosts.length === 0) throw noRoom(wanted, view.hosts);
  try {
    return (
      (await allocateOn(client, wanted, hosts, "SKIP LOCKED")) ??
      (await allocateOn(client, wanted, hosts.slice(0, 1), ""))
    );
  } catch (error) {
    if (lostRace(error)) return undefined;
    throw error;
  }
}

async function allocateOn(
  client: ClientBase,
  wanted: Wanted,
  hosts: readonly Candidate[],
  locking: "SKIP LOCKED" | "",
): Promise<string | undefined> {
  const { rows } = await client.query<{ host: string }>(
    `WITH chosen AS (
       SELECT h.host
         FROM stackyard.hosts h
         JOIN unnest($4::text[], $5::int[]) WITH ORDINALITY AS r (host, most_used, rank) USING (host)
        WHERE h.used <= r.most_used AND h.used + $3 <= h.slots
        ORDER BY r.rank LIMIT 1 FOR NO KEY UPDATE OF h ${locking})
     INSERT INTO stackyard.allocations (pool, deployment, slots, host)
     SELECT $1, $2, $3, host FROM chosen RETURNING host`,
    [
      wanted.pool,
      wanted.deployment,
      wanted.slots,
      hosts.map((candidate) => candidate.host),
      hosts.map((candidate) => candidate.mostUsed),
    ],
  );
  return rows[0]?.host;
}

async function resize(
  client: ClientBase,
  wanted: Wanted,
  view: View,
  present: { host: string; slots: number },
): Promise<string | undefined> {
  for (const host of growth(wanted, view, present)) {
    if (host === present.host && present.slots === wanted.slots) return host;
    try {
      const { rowCount } = await client.query(
        `UPDATE stackyard.allocations SET host = $3, slots = $4, updated_at = now()
          WHERE pool = $1 AND deployment = $2 AND host = $5 AND slots = $6`,
        [wanted.pool, wanted.deployment, host, wanted.slots, present.host, present.slots],
      );
      return rowCount === 1 ? host : undefined;
    } catch (error) {
      if (!lostRace(error)) throw error;
    }
  }
  return undefined;
}

/** The host is full by now or left the pool, or another run of the same program allocated the slots. */
const lostRace = (error: unknown): boolean => isOverfull(error) || ["23503", "23505"].includes(sqlState(error) ?? "");

function placement(view: View, name: string, slots: number): Placement {
  const host = view.hosts.find((one) => one.host === name);
  if (!host) throw new TypeError(`host ${name} was chosen, but it is not in the pool`);
  return { host: name, slots, audienceUrl: host.audienceUrl, dataDir: host.dataDir };
}

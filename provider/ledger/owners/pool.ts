/** Decides who may change a pool. */

import type { ClientBase } from "pg";
import { isOfSameStack, OwnerError, requireOwner } from "../../../kubernetes/owners/judge";
import type { OwnerRecord } from "../../../kubernetes/owners/record";
import { withLedger, type LedgerOptions } from "../database";
import { isAsSeen, poolThing, recordFor, ownerRecordOf, type OwnerColumns, type RowClaimant } from "./rows";

/** A resource that changes a pool. */
export interface PoolClaimant extends RowClaimant {
  /** The hosts in its state. */
  readonly has?: readonly string[];
}

interface Known {
  readonly row: OwnerColumns;
  readonly hosts: readonly string[];
}

/** Undefined if the pool does not exist. */
export async function readOwnedPool(
  client: ClientBase,
  pool: string,
  locking: "FOR UPDATE" | "",
): Promise<Known | undefined> {
  const { rows } = await client.query<{ row: OwnerColumns }>(
    `SELECT to_jsonb(p) AS row FROM stackyard.pools p WHERE pool = $1 ${locking}`,
    [pool],
  );
  const row = rows[0]?.row;
  if (row === undefined) return undefined;
  const found = await client.query<{ host: string }>("SELECT host FROM stackyard.pool_hosts WHERE pool = $1", [pool]);
  return { row, hosts: found.rows.map(({ host }) => host) };
}

export const recordOfPool = (known: Known | undefined, { has, interrupted }: PoolClaimant): OwnerRecord | undefined =>
  recordFor(known?.row, known !== undefined && has !== undefined && (interrupted === true || isSame(known.hosts, has)));

/** Throws unless the resource owns the pool or may take it over. */
export function requirePool(
  known: Known | undefined,
  pool: string,
  claimant: PoolClaimant,
  hosts: readonly { readonly host: string }[],
): void {
  const record = recordOfPool(known, claimant);
  // Its update was killed after the registration, before the engine could store the result.
  const isAgain =
    record !== undefined &&
    claimant.has === undefined &&
    isOfSameStack(record, claimant) &&
    isSame(
      known?.hosts ?? [],
      hosts.map(({ host }) => host),
    );
  requireOwner(record, isAgain ? { ...claimant, adopts: record.owner } : claimant, poolThing(pool));
}

/**
 * Lets a stack take the pool over with its next update; `to`: see offerTo(). Throws if it was changed since it was read
 * as `seen`.
 */
export async function offerPool(
  url: string,
  pool: string,
  seen: OwnerColumns,
  to: string,
  options: LedgerOptions = {},
): Promise<void> {
  const { owner, generation } = ownerRecordOf(seen);
  await withLedger(url, { ...options, migrate: "existing" }, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE stackyard.pools SET offered_to = $4 WHERE pool = $1 AND ${isAsSeen(2)}`,
      [pool, owner || null, generation, to],
    );
    if (rowCount === 1) return;
    const { title, adopt } = poolThing(pool);
    throw new OwnerError(
      `${title} was changed by another process since it was shown. Nothing was changed. Run again: ${adopt}`,
    );
  });
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((host) => others.includes(host));

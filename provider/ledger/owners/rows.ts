/**
 * Owners of allocations and pools. The owner is part of the row, so that one statement changes both, and a statement
 * names the owner and the generation that it was decided by. A change is complete when its statement is, so no row is
 * ever `applying`.
 */

import type { Thing } from "../../../kubernetes/owners/judge";
import { begun, type Claimant, type OwnerRecord } from "../../../kubernetes/owners/record";

/** The columns of the owner, as `to_jsonb` returns them. Tables of version 1 don't have them. */
export interface OwnerColumns {
  /** Null in rows that an earlier release wrote. */
  readonly owner?: string | null;
  readonly stack?: string | null;
  readonly backend?: string | null;
  readonly generation?: number;
  readonly changed_from?: number;
  readonly changed_by?: string | null;
  readonly change_id?: string | null;
  readonly offered_to?: string | null;
  readonly updated_at: string;
}

/** A resource that changes a row. */
export interface RowClaimant extends Claimant {
  /** Id that the row gets. */
  readonly owner: string;
}

export const slotsThing = (pool: string, deployment: string): Thing => ({
  title: `allocation ${pool}/${deployment}`,
  adopt: `stackyard runtime adopt ${deployment}`,
});

/** The name of a pool is `<platform stack>/<provisioner>`. */
export function poolThing(pool: string): Thing {
  const slash = pool.lastIndexOf("/");
  const [stack, provisioner] = [pool.slice(0, slash), pool.slice(slash + 1)];
  return { title: `pool ${pool}`, adopt: `stackyard provisioners adopt ${provisioner} --stack ${stack}` };
}

export function ownerRecordOf(row: OwnerColumns): OwnerRecord {
  const offeredTo = row.offered_to ?? undefined;
  return {
    owner: row.owner ?? "",
    stack: row.stack ?? "(not recorded)",
    backend: row.backend ?? "an unknown backend",
    generation: row.generation ?? 0,
    from: row.changed_from ?? 0,
    phase: "applied",
    changedAt: new Date(row.updated_at).toISOString(),
    changedBy: row.changed_by ?? "an earlier release of stackyard",
    ...(offeredTo !== undefined && { offeredTo }),
  };
}

/**
 * The record that decides about a claim. A row of an earlier release has no owner: it is free for the resource whose
 * state has what is in the row.
 */
export function recordFor(row: OwnerColumns | undefined, hasSame: boolean): OwnerRecord | undefined {
  if (row === undefined || (isUnowned(row) && hasSame)) return undefined;
  return ownerRecordOf(row);
}

export const isUnowned = ({ owner }: OwnerColumns): boolean => owner === null || owner === undefined;

/** What the statement of a change writes, in the order of {@link OWNER_COLUMNS}. */
export function ownerValues(record: OwnerRecord, changeId: string): unknown[] {
  const { owner, stack, backend, generation, from, changedBy } = record;
  return [owner, stack, backend, generation, from, changedBy, changeId];
}

export const OWNER_COLUMNS = "owner, stack, backend, generation, changed_from, changed_by, change_id";

/** `SET` of a change, with the values of {@link ownerValues} from parameter `first`. An offer ends with it. */
export const setOwner = (first: number): string =>
  OWNER_COLUMNS.split(", ")
    .map((column, index) => `${column} = $${first + index}, `)
    .join("") + "offered_to = NULL, updated_at = now()";

/** The record of the next change of a row. */
export const nextRecord = (row: OwnerColumns | undefined, claimant: RowClaimant): OwnerRecord =>
  begun(row === undefined ? undefined : ownerRecordOf(row), claimant, claimant.owner);

/** Parameters of {@link IS_AS_SEEN}: nobody else has changed the row since it was read. */
export const asSeen = (row: OwnerColumns): unknown[] => [row.owner ?? null, row.generation ?? 0];

export const isAsSeen = (first: number): string =>
  `owner IS NOT DISTINCT FROM $${first} AND generation = $${first + 1}`;

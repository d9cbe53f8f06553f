/**
 * One process at a time changes a database. A comment can't be written on condition, so whoever changes or drops the
 * database holds a lock from before it compares the owner until the end.
 */

import { OwnerError } from "../../../kubernetes/owners/judge";
import { begun, type Claimant } from "../../../kubernetes/owners/record";
import { holderIn, isHeldBy, type Holder } from "./note";
import { ClickHouseError, type ClickHouseServer } from "./server";
import * as sql from "./statements";

/** Runs the work with the lock. A lock of the same stack is of a process that was killed, and is used. */
export async function withLock<T>(
  server: ClickHouseServer,
  target: sql.StatementNames,
  claimant: Claimant,
  work: () => Promise<T>,
): Promise<T> {
  const { stack, backend, changedAt, changedBy } = begun(undefined, claimant, "");
  const holder: Holder = { stack, backend, changedAt, changedBy };
  try {
    await server.run("lock the database", sql.createLock(target, JSON.stringify(holder)));
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error;
    const found = await lockOn(server, target);
    if (found === undefined) throw error;
    if (!isHeldBy(found, claimant)) throw new OwnerError(heldText(server, target, holderIn(found)), { cause: error });
  }
  try {
    return await work();
  } finally {
    await server.run("unlock the database", sql.dropLock(target));
  }
}

async function lockOn(server: ClickHouseServer, { database }: sql.StatementNames): Promise<string | undefined> {
  const rows = await server.rows("look for the lock", sql.commentsOf(database));
  const row = rows.find(({ name }) => name === sql.lockOf(database));
  return row && String(row["comment"]);
}

const heldText = (server: ClickHouseServer, target: sql.StatementNames, holder: Holder): string =>
  `database ${target.database} on ${server.place} is being changed by stack ${holder.stack} in ${holder.backend} since ` +
  `${holder.changedAt} (${holder.changedBy}). Nothing was changed. Run the command again after that; if that process was ` +
  `killed and its stack will not be updated again, unlock the database: ${sql.dropLock(target)}`;

import { sql, type Transaction } from "kysely";
import { v7 } from "uuid";
import { messageOf } from "../../foundation/errors";
import { parseWaves } from "../../engine/workers/waves";
import { platformReference } from "../../engine/stack/names";
import type { Database } from "../database/database";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import type { RolloutRow, Tables } from "../database/tables";
import { audit, auditRefusal } from "../operations/audit";
import { OperationError } from "../operations/error";
import { runOnce } from "../operations/idempotency";
import { demandAdmin, type Caller } from "../operations/input";
import { addJob } from "../operations/queue";

export interface RolloutInput {
  /** Platform stack, such as dev or organization/stackyard/dev. */
  readonly platform: string;
  /** Sizes of the waves, such as 5, 10% or 1,10%,50%. Default: all at once. */
  readonly waves?: string;
  /** How many updates may fail before the rollout stops. Default: none. */
  readonly maxFailures?: number;
  /** Only report what would change. */
  readonly dryRun?: boolean;
  /** A repeated request with the same key returns the same rollout. */
  readonly idempotencyKey?: string;
}

interface Place {
  readonly database: Database;
  /** Opens sealed idempotency records. Default: nothing is sealed. */
  readonly vault?: Vault;
}

/** Task that advances rollouts. */
export const TASK = "rollout";

/** Starts a rollout; for administrators. `everybody`: include the deployments of all tenants. */
export function requestRollout(
  { database, vault = NO_KEYS }: Place,
  { idempotencyKey: key, ...asked }: RolloutInput,
  caller: Caller,
  everybody: boolean,
): Promise<RolloutRow> {
  const audited = { action: "refreshPlatform", target: asked.platform, details: asked };
  return auditRefusal(database, caller, audited, () => {
    const wanted = wantedOf(asked, caller, everybody);
    const keyed = { key, request: { refreshPlatform: wanted }, caller, vault };
    const work = async (transaction: Transaction<Tables>): Promise<RolloutRow> => {
      const row = await transaction
        .insertInto("rollout")
        .values({ id: v7(), ...wanted, message: "finding out what would change", requestedBy: caller.actor })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) {
        const reason = `platform ${wanted.platform} is being rolled out already`;
        throw new OperationError("CONFLICT", { reason, path: "platform" });
      }
      await audit(transaction, caller, { ...audited, target: wanted.platform }, "accepted");
      await addJob(transaction, TASK, row.id);
      return row;
    };
    return runOnce(database, "rollout", keyed, work);
  });
}

/** Starts no further operations of a rollout; those in progress continue. */
export function cancelRollout(
  { database, vault = NO_KEYS }: Place,
  id: string,
  caller: Caller,
  key?: string,
): Promise<RolloutRow> {
  const audited = { action: "cancelRollout", target: id };
  const keyed = { key, request: { cancelRollout: id }, caller, vault };
  const work = async (transaction: Transaction<Tables>): Promise<RolloutRow> => {
    const rows = transaction.selectFrom("rollout").selectAll().where("id", "=", id);
    const row = await rows.forUpdate().executeTakeFirst();
    if (!row) throw new OperationError("NOT_FOUND", { reason: `there is no rollout ${id}`, path: "id" });
    if (row.state !== "planning" && row.state !== "running") {
      throw new OperationError("CONFLICT", { reason: `rollout ${id} has ended: it is ${row.state}`, path: "id" });
    }
    await audit(transaction, caller, audited, "accepted");
    return transaction
      .updateTable("rollout")
      .set({ state: "canceled", message: `canceled by ${caller.actor}`, endedAt: sql<Date>`now()` })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  };
  return auditRefusal(database, caller, audited, () => runOnce(database, "rollout", keyed, work));
}

/** Checks a request for a rollout. Throws if it is invalid or not permitted for the caller. */
function wantedOf(
  { waves, maxFailures = 0, dryRun = false, ...asked }: RolloutInput,
  caller: Caller,
  everybody: boolean,
) {
  demandAdmin(caller);
  const platform = checked("platform", () => platformReference(asked.platform));
  if (waves !== undefined) checked("waves", () => parseWaves(waves));
  if (!Number.isInteger(maxFailures) || maxFailures < 0) {
    const reason = `maxFailures: found ${maxFailures}; expected a whole number from 0`;
    throw new OperationError("BAD_INPUT", { reason, path: "maxFailures" });
  }
  return { platform, tenant: everybody ? null : caller.tenant, waves: waves ?? null, maxFailures, dryRun };
}

function checked<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new OperationError("BAD_INPUT", { reason: messageOf(error), component: "input", path });
  }
}

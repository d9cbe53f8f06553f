import type { Transaction } from "kysely";
import { v7, validate } from "uuid";
import { RequestOf } from "../database/sealing/requests";
import type { DeploymentRow, PastReport, StoredError, Tables } from "../database/tables";
import { KIND_OF } from "../kinds/kinds";
import { OperationError } from "../operations/error";

/** An operation that an earlier system ran, and that has ended. */
export interface PastOperation extends Omit<PastReport, "lastError"> {
  readonly succeeded: boolean;
  readonly stage?: string | null;
  readonly message: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly lastError?: PastReport["lastError"];
}

const MOST = 500;

/** Throws an error with the path of each fault. */
export function checkHistory(history: readonly PastOperation[]): void {
  const faults = history.flatMap(({ id, startedAt, endedAt }, at) => [
    ...(validate(id) ? [] : [`history[${at}].id: found ${JSON.stringify(id)}; expected a UUID`]),
    ...(startedAt <= endedAt ? [] : [`history[${at}].endedAt: found a time before startedAt; expected a later one`]),
  ]);
  if (history.length > MOST) faults.push(`history: found ${history.length} operations; expected at most ${MOST}`);
  if (faults.length > 0) throw new OperationError("BAD_INPUT", { reason: faults.join("; "), path: "history" });
}

/** Inserts past operations of a deployment. Their own ids are new and sort by time, as those of all operations do. */
export async function insertHistory(
  transaction: Transaction<Tables>,
  history: readonly PastOperation[],
  { id: deploymentId, tenant, revision }: DeploymentRow,
): Promise<void> {
  const rows = history.map((one) => {
    const { operation, succeeded, stage = null, message, startedAt, endedAt, lastError = null } = one;
    return {
      id: v7({ msecs: startedAt.getTime() }),
      deploymentId,
      tenant,
      kind: KIND_OF[operation],
      isUse: false,
      state: succeeded ? ("succeeded" as const) : ("failed" as const),
      change: new RequestOf({ tenant, deployment: deploymentId }, { deployment: {} }),
      revision,
      previousConfig: null,
      stage,
      error: succeeded ? null : errorOf(message, lastError),
      message,
      requestedBy: "an earlier system",
      requestedAt: startedAt,
      startedAt,
      endedAt,
      past: { id: one.id.toLowerCase(), operation, lastError },
    };
  });
  if (rows.length === 0) return;
  // A deployment that was removed and is adopted again has them already.
  await transaction
    .insertInto("operation")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const errorOf = (message: string, lastError: PastReport["lastError"]): StoredError => ({
  code: "PROVISIONING_FAILED",
  reason: lastError?.errMessage || message,
  component: lastError?.component || "earlier system",
  retryable: false,
});

import type { Transaction } from "kysely";
import { removeSecretValues } from "../../../engine/stack/secretValues";
import { RequestOf } from "../../database/sealing/requests";
import type { OperationRow, Tables, DeploymentRow } from "../../database/tables";
import { audit } from "../audit";
import { OperationError } from "../error";
import { recordEvents } from "../../database/queries/events";
import type { Caller } from "../input";
import { dequeue, enqueue, LOOK_TASK, type OnEnd } from "../queue";
import { activeOf, beginNext, deletes, rebase } from "../queued";

/**
 * Takes back a request that never began: the deployment is desired as before it, with the changes of the requests that
 * wait behind it. `others` are the other operations of the deployment that have not ended.
 */
async function takeBack(
  transaction: Transaction<Tables>,
  row: DeploymentRow,
  { id, revision, previousConfig }: OperationRow,
  others: readonly OperationRow[],
  defaultPlatform: string,
): Promise<void> {
  const behind = others.filter((other) => other.revision > revision);
  const update = transaction.updateTable("deployment").where("id", "=", row.id).set({ updatedAt: new Date() });
  if (previousConfig !== null) {
    const basis = { defaultPlatform, isGoing: deletes(others) };
    await update.set(await rebase(transaction, row, previousConfig, behind, basis)).execute();
    return;
  }
  if (behind[0]) {
    throw new OperationError("CONFLICT", {
      reason: `operation ${behind[0].id} of ${behind[0].requestedBy} waits for the deployment that operation ${id} creates`,
      path: "id",
      advice: `Cancel operation ${behind[0].id} first, or deprovision the deployment`,
    });
  }
  const desiredConfig = new RequestOf(
    { tenant: row.tenant, deployment: row.id },
    removeSecretValues(row.desiredConfig),
  );
  await update.set({ deletedAt: new Date(), desiredConfig, revision: row.revision + 1 }).execute();
}

export interface CancelOptions {
  readonly defaultPlatform: string;
  readonly onEnd?: OnEnd;
}

/**
 * Cancels an operation. A pending operation ends now; a running one is marked, and its process ends it. Requests of
 * others that wait behind it stay.
 */
export async function cancelOperation(
  transaction: Transaction<Tables>,
  { id, deploymentId }: OperationRow,
  caller: Caller,
  { defaultPlatform, onEnd }: CancelOptions,
): Promise<OperationRow> {
  // As everywhere, the deployment is locked before its operations.
  const deployments = transaction.selectFrom("deployment").selectAll().where("id", "=", deploymentId);
  const deployment = await deployments.forUpdate().executeTakeFirstOrThrow();
  const row = await transaction
    .selectFrom("operation")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.state !== "pending" && row.state !== "in_progress") {
    throw new OperationError("CONFLICT", { reason: `operation ${id} has ended: it is ${row.state}`, path: "id" });
  }
  await audit(transaction, caller, { action: "cancel", target: id }, "accepted");
  if (row.state === "in_progress") {
    await recordEvents(transaction, id, [{ kind: "note", text: `${caller.actor} asked to cancel it` }]);
    // A waiting operation has no process that could notice the mark, so a check is queued.
    const isWaiting = row.leaseOwner === null;
    if (isWaiting) await enqueue(transaction, id, undefined, LOOK_TASK);
    return transaction
      .updateTable("operation")
      .set({
        cancelRequestedAt: row.cancelRequestedAt ?? new Date(),
        message: "being canceled",
        ...(isWaiting && { leaseUntil: new Date() }),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  await dequeue(transaction, id);
  const others = (await activeOf(transaction, deploymentId)).filter((other) => other.id !== id);
  await takeBack(transaction, deployment, row, others, defaultPlatform);
  await recordEvents(transaction, id, [
    { kind: "state", text: `canceled by ${caller.actor} before it began`, data: { state: "canceled" } },
  ]);
  const canceled = await transaction
    .updateTable("operation")
    .set({
      state: "canceled",
      message: "canceled before it began",
      endedAt: new Date(),
      cancelRequestedAt: new Date(),
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const [next] = others;
  if (next?.state === "pending" && next.revision > row.revision) await beginNext(transaction, next);
  await onEnd?.(transaction, canceled);
  return canceled;
}

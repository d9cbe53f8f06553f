import type { Transaction } from "kysely";
import type { OperationRow, Tables } from "../../database/tables";
import { audit } from "../audit";
import { OperationError } from "../error";
import { recordEvents } from "../events";
import type { Caller } from "../input";
import { dequeue, enqueue, LOOK_TASK } from "../queue";
import { revertRequest } from "./revert";

/** Cancels an operation. A pending operation ends now; a running one is marked, and its process ends it. */
export async function cancelOperation(
  transaction: Transaction<Tables>,
  { id }: Pick<OperationRow, "id">,
  caller: Caller,
): Promise<OperationRow> {
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
  await revertRequest(transaction, row);
  await recordEvents(transaction, id, [
    { kind: "state", text: `canceled by ${caller.actor} before it began`, data: { state: "canceled" } },
  ]);
  return transaction
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
}

import type { Transaction } from "kysely";
import { v7 } from "uuid";
import type { RuntimeConfig } from "../../engine/stack/change";
import { RequestOf } from "../database/sealing/requests";
import type { DeploymentRow, NewOperation, OperationRow, Tables } from "../database/tables";
import { KINDS } from "../kinds/kinds";
import { currentTrace } from "../tracing/span";
import { OperationError } from "./error";
import { eventRows, type NewEvent } from "../database/queries/events";
import { fold } from "./fold";
import type { Caller, CheckedInput } from "./input";
import { enqueue, type OnEnd } from "./queue";
import { activeOf, WAITING } from "./queued";

export interface OperationOptions {
  /** The operation that this one retries. */
  readonly retryOf?: string;
  /** The desired config before the request; null if there was no deployment. */
  readonly previousConfig: RuntimeConfig | null;
  readonly onEnd?: OnEnd;
}

/**
 * Adds the operation of an accepted request. It waits for the earlier ones of the deployment. If the last of these waits
 * too and has the same caller, it ends as replaced, and the new one does both.
 */
export async function operationFor(
  transaction: Transaction<Tables>,
  { kind, change, revision: basis, alone = false }: CheckedInput,
  { actor, tenant }: Caller,
  { id: deployment, name, revision }: DeploymentRow,
  { retryOf, previousConfig, onEnd }: OperationOptions,
): Promise<OperationRow> {
  const active = await activeOf(transaction, deployment);
  const last = active.at(-1);
  if (alone && last) throw notAlone(name, last);
  const older = last?.state === "pending" && last.requestedBy === actor ? last : undefined;
  const newer = { kind, change, refresh: KINDS[kind].refreshes ?? false };
  const folded = older ? fold(older, newer) : newer;
  const before = older ? older.previousConfig : previousConfig;
  const first = active.find((each) => each !== older);
  const message = first ? `waiting for operation ${active.findLast((each) => each !== older)?.id} to end` : WAITING;
  const owner = { tenant, deployment };
  const values: NewOperation = {
    id: v7(),
    deploymentId: deployment,
    tenant,
    kind: folded.kind,
    change: new RequestOf(owner, folded.change),
    isUse: KINDS[folded.kind].isUse ?? false,
    refresh: folded.refresh,
    revision,
    previousConfig: before && new RequestOf(owner, before),
    guarded: basis !== undefined || older?.guarded === true,
    message,
    requestedBy: actor,
    retryOf: retryOf ?? null,
    trace: currentTrace(),
  };
  const state: NewEvent = { kind: "state", text: message, data: { state: "pending" } };
  const events = eventRows(values.id, [state]);
  const ended = {
    state: "replaced" as const,
    replacedBy: values.id,
    message: `replaced by operation ${values.id}, which includes it`,
    endedAt: new Date(),
  };
  if (older) {
    const data = { state: ended.state, replacedBy: values.id };
    events.push(...eventRows(older.id, [{ kind: "state", text: ended.message, data }]));
  }
  // One statement, so that a request takes no longer because it replaces another.
  const operation = await transaction
    .with("noted", (query) => query.insertInto("event").values(events))
    .with("older", (query) =>
      query
        .updateTable("operation")
        .set(ended)
        .where("id", "=", older?.id ?? null),
    )
    .insertInto("operation")
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  // The job of a replaced operation finds nothing to do. One that follows another gets its job when that one ends.
  if (!first) await enqueue(transaction, operation.id);
  if (older) await onEnd?.(transaction, older);
  return operation;
}

function notAlone(deployment: string, { id }: OperationRow): OperationError {
  return new OperationError("CONFLICT", {
    reason: `cannot start new operation for ${deployment} Runtime while previous one is in progress`,
    path: "id",
    advice: `Wait for the end of operation ${id}, or cancel it`,
  });
}

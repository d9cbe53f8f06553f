import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import type { Transaction } from "kysely";
import { v7 } from "uuid";
import type { RuntimeConfig, DeploymentChange, RuntimeChange } from "../../engine/stack/change";
import { RequestOf } from "../database/sealing/requests";
import type { DeploymentRow, NewOperation, OperationRow, Tables } from "../database/tables";
import { KINDS, type OperationKind } from "../kinds/kinds";
import { currentTrace } from "../tracing/span";
import { OperationError } from "./error";
import { eventRows, type NewEvent } from "../database/queries/events";
import type { Caller, CheckedInput } from "./input";
import { enqueue, type OnEnd } from "./queue";
import { activeOf, WAITING } from "./queued";

/** The fields of an operation that folding needs. */
export interface Foldable {
  readonly kind: OperationKind;
  readonly change: RuntimeChange;
  readonly refresh: boolean;
}

/** Combines two consecutive changes. The newer value of a field wins. Pure. */
function mergeChanges(older: RuntimeChange, newer: RuntimeChange): RuntimeChange {
  const annotations = { ...older.deployment.annotations, ...newer.deployment.annotations };
  const deployment: DeploymentChange = {
    ...older.deployment,
    ...newer.deployment,
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  const platform = newer.platform ?? older.platform;
  const move = mergeMoves(older, newer);
  const disk = newer.disk ?? older.disk;
  return withoutUndefined({ deployment, platform, move, disk });
}

/** A permitted move must agree with the provisioner, whichever of the changes names it. */
function mergeMoves(older: RuntimeChange, newer: RuntimeChange): string | null | undefined {
  const { provisioner = older.deployment.provisioner } = newer.deployment;
  if (newer.move === null) return null;
  const permitted = [newer.move, older.move].filter((move) => move !== undefined);
  if (provisioner === undefined) return permitted[0];
  return permitted.find((move) => move === provisioner);
}

/**
 * Combines a request that waits with the one that replaces it. The result does both; where they conflict, the newer one
 * wins. A deletion is never dropped. Pure.
 */
export function fold(older: Foldable, newer: Foldable): Foldable {
  const refresh = older.refresh || newer.refresh;
  // A deprovisioning makes earlier changes irrelevant, and requests after it are refused.
  if (KINDS[newer.kind].deletes) return newer;
  if (KINDS[older.kind].deletes) return older;
  const change = mergeChanges(older.change, newer.change);
  if (KINDS[newer.kind].refreshes) return { kind: older.kind, change, refresh };
  if (KINDS[older.kind].refreshes || older.kind === newer.kind) return { kind: newer.kind, change, refresh };
  // A runtime that does not exist yet must be provisioned; an update covers everything else.
  return { kind: KINDS[older.kind].creates ? older.kind : "update", change, refresh };
}

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

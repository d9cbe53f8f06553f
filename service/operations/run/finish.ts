import { sql, type Transaction } from "kysely";
import { applyChange } from "../../../engine/stack/change";
import { hideSecretValues, removeSecretValues } from "../../../engine/stack/secretValues";
import type { Database } from "../../database/database";
import { RequestOf } from "../../database/sealing/requests";
import type {
  DeploymentRow,
  OperationResult,
  OperationRow,
  OperationState,
  StoredError,
  Tables,
} from "../../database/tables";
import { recordEvents } from "../events";
import { enqueue } from "../queue";
import { desiredStateOf } from "../desired";
import { isRefusal } from "../error";
import { lockLeased } from "./lease";
import type { DeployedState } from "./outcome";

/** The outcome of an operation. */
export interface Ending {
  readonly state: Extract<OperationState, "succeeded" | "failed" | "canceled">;
  readonly message: string;
  readonly error?: StoredError;
  readonly result?: OperationResult;
  /** What the deployment has now; null for nothing, undefined if unknown. */
  readonly has?: DeployedState | null;
}

export interface FinishOptions {
  readonly owner: string;
  readonly defaultPlatform: string;
  /** Called in the same transaction, to queue work that follows the end. */
  readonly onEnd?: (transaction: Transaction<Tables>, operation: OperationRow) => Promise<void>;
}

/** Ends an operation, stores what the deployment has now, and queues the next operation, in one transaction. */
export function finish(database: Database, id: string, ending: Ending, options: FinishOptions): Promise<OperationRow> {
  return database.transaction().execute(async (transaction) => {
    const { deploymentId } = await transaction
      .selectFrom("operation")
      .select("deploymentId")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const mine = transaction.selectFrom("deployment").selectAll().where("id", "=", deploymentId);
    const before = await mine.forUpdate().executeTakeFirstOrThrow();
    const { tenant, change } = await lockLeased(transaction, id, options.owner);
    const now = sql<Date>`now()`;
    const { state, message, error, result } = ending;
    const row = await transaction
      .updateTable("operation")
      .set({
        state,
        message,
        error: error ?? null,
        result: result ?? null,
        // The operation can't succeed as it is, so its secrets are no longer needed.
        ...(isRefusal(error) && {
          change: new RequestOf({ tenant, deployment: deploymentId }, hideSecretValues(change)),
        }),
        endedAt: now,
        leaseOwner: null,
        leaseUntil: null,
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable("stage")
      .set({ state: state === "succeeded" ? "succeeded" : state, endedAt: now, error: error ?? null })
      .where("operationId", "=", id)
      .where("state", "=", "in_progress")
      .execute();
    await recordEvents(transaction, id, [{ kind: "state", text: message, data: { state, ...(error && { error }) } }]);
    const follower = await transaction
      .selectFrom("operation")
      .selectAll()
      .where("deploymentId", "=", deploymentId)
      .where("state", "=", "pending")
      .executeTakeFirst();
    await keep(transaction, before, ending, follower, options.defaultPlatform);
    if (follower !== undefined) {
      await transaction
        .updateTable("operation")
        .set({ message: "waiting for a worker" })
        .where("id", "=", follower.id)
        .execute();
      await enqueue(transaction, follower.id);
    }
    await options.onEnd?.(transaction, row);
    return row;
  });
}

/**
 * Stores what exists plus the changes of the next operation as the desired config. A rejected request leaves no trace.
 */
async function keep(
  transaction: Transaction<Tables>,
  { id, tenant, provisioner, desiredConfig: before }: DeploymentRow,
  { state, has, result }: Ending,
  follower: OperationRow | undefined,
  defaultPlatform: string,
): Promise<void> {
  if (has === undefined) return;
  const update = transaction
    .updateTable("deployment")
    .where("id", "=", id)
    .set({ updatedAt: sql<Date>`now()` });
  if (has === null) {
    // The stack is gone, but no operation deleted it. Parts of the runtime may remain, so the deployment is kept.
    if (provisioner !== null && state !== "succeeded") return;
    const nothing = update.set({ provisioner: null, outputs: {} });
    if (follower !== undefined) {
      await nothing.execute();
      return;
    }
    const gone = nothing.set({ deletedAt: sql<Date>`now()` });
    // The request created nothing, so only a record without secrets remains.
    const refused = new RequestOf({ tenant, deployment: id }, removeSecretValues(before));
    await (state === "succeeded" ? gone : gone.set({ desiredConfig: refused })).execute();
    return;
  }
  const outputs = state === "succeeded" && result ? result.outputs : has.outputs;
  const known = update.set({ provisioner: has.provisioner, outputs: { ...outputs } });
  if (has.desiredConfig === undefined || follower?.kind === "deprovision") {
    await known.execute();
    return;
  }
  const isNew = follower?.kind === "provision";
  const after = follower && applyChange(isNew ? {} : has.desiredConfig, follower.change, defaultPlatform);
  const desiredConfig = after ? { platform: after.platform, deployment: after.deployment } : has.desiredConfig;
  const request = new RequestOf({ tenant, deployment: id }, desiredConfig);
  await known.set({ desiredConfig: request, desiredState: desiredStateOf(desiredConfig) }).execute();
}

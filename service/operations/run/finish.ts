import { sql, type Transaction } from "kysely";
import { hideSecretValues, removeSecretValues } from "../../../engine/stack/secretValues";
import { describeLock } from "../../../engine/pulumi/engineLock";
import { forgetIfEmpty } from "../../../engine/runtime/create";
import { isLockOf } from "../../../foundation/process/engines";
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
import { noteUseByHand } from "../../database/queries/lifetimes";
import { recordEvents } from "../../database/queries/events";
import type { OnEnd } from "../queue";
import { activeOf, beginNext, deletes, rebase } from "../queued";
import { isRefusal } from "../error";
import { enginesOf, readLocks, readState } from "./deploymentStages";
import { lockLeased, type Lease } from "./lease";
import { deployedState, type DeployedState } from "./outcome";
import type { StagePlace } from "./stage";

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
  readonly lease: Lease;
  readonly defaultPlatform: string;
  /** Called in the same transaction, to queue work that follows the end. */
  readonly onEnd?: OnEnd;
}

/** What a deployment has at the end of an operation; `waits` if the end has to wait. */
export type Remaining = Pick<Ending, "has"> | { readonly waits: string };

/**
 * Reads what a deployment has at the end of an operation. If it has nothing and will count as deleted, its empty stack is
 * removed, with the locks of dead engines. That comes first: if this process is killed before the end is stored, the
 * next one does both again. If somebody else works on the stack, it is unknown what the deployment has.
 */
export async function remainingAfter(
  { database, workspace }: Pick<StagePlace, "database" | "workspace">,
  operation: OperationRow,
  state: Ending["state"],
): Promise<Remaining> {
  const { deploymentId: id } = operation;
  const has = deployedState(await readState(workspace, id), id);
  if (has !== null) return { has };
  const rows = database.selectFrom("deployment").select("provisioner").where("id", "=", id);
  if (!mayBeGone(await rows.executeTakeFirstOrThrow(), state)) return { has };
  const gone = await enginesOf(database, operation);
  if (await forgetIfEmpty(id, { runtimes: workspace, gone, keepFile: true })) return { has };
  const [locks, ours] = [await readLocks(workspace, id), await enginesOf(database, operation, "all")];
  const isOurs = locks.length > 0 && locks.every((lock) => ours.some((engine) => isLockOf(engine, lock)));
  // Canceled or failed: whoever works on the stack decides what it has. Succeeded: it must be gone.
  if (!isOurs && state !== "succeeded") return { has: undefined };
  return { waits: `its stack is locked: ${locks.map(describeLock).join("; ")}` };
}

/** Without an operation that deleted it, a deployment that had something may still have parts. */
const mayBeGone = ({ provisioner }: Pick<DeploymentRow, "provisioner">, state: Ending["state"]): boolean =>
  provisioner === null || state === "succeeded";

/** Ends an operation, stores what the deployment has now, and queues the next operation, in one transaction. */
export function finish(database: Database, ending: Ending, options: FinishOptions): Promise<OperationRow> {
  const { id } = options.lease;
  return database.transaction().execute(async (transaction) => {
    const { deploymentId } = await transaction
      .selectFrom("operation")
      .select("deploymentId")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const mine = transaction.selectFrom("deployment").selectAll().where("id", "=", deploymentId);
    const before = await mine.forUpdate().executeTakeFirstOrThrow();
    const { tenant, change } = await lockLeased(transaction, options.lease);
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
    const queued = await activeOf(transaction, deploymentId);
    await keep(transaction, before, ending, queued, options.defaultPlatform);
    await beginNext(transaction, queued[0]);
    await options.onEnd?.(transaction, row);
    return row;
  });
}

/**
 * Stores what exists plus the changes of the requests that wait as the desired config. A rejected request leaves no
 * trace. The revision rises if the deployment has not become what was requested.
 */
async function keep(
  transaction: Transaction<Tables>,
  before: DeploymentRow,
  { state, has, result }: Ending,
  queued: readonly OperationRow[],
  defaultPlatform: string,
): Promise<void> {
  if (has === undefined) return;
  const { id, tenant } = before;
  if (has?.usedAt) await noteUseByHand(transaction, id, has.usedAt);
  const update = transaction
    .updateTable("deployment")
    .where("id", "=", id)
    .set({ updatedAt: sql<Date>`now()` });
  if (has === null) {
    if (!mayBeGone(before, state)) return;
    const nothing = update.set({ provisioner: null, outputs: {}, revisions: {} });
    if (queued.length > 0) {
      await nothing.execute();
      return;
    }
    const gone = nothing.set({ deletedAt: sql<Date>`now()` });
    // The request created nothing, so only a record without secrets remains.
    const refused = new RequestOf({ tenant, deployment: id }, removeSecretValues(before.desiredConfig));
    await (
      state === "succeeded" ? gone : gone.set({ desiredConfig: refused, revision: before.revision + 1 })
    ).execute();
    return;
  }
  const outputs = state === "succeeded" && result ? result.outputs : has.outputs;
  const known = update.set({ provisioner: has.provisioner, outputs: { ...outputs }, revisions: has.revisions });
  if (has.desiredConfig === undefined) {
    await known.execute();
    return;
  }
  const basis = { defaultPlatform, isGoing: deletes(queued) };
  await known.set(await rebase(transaction, before, has.desiredConfig, queued, basis)).execute();
}

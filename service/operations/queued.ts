import type { Transaction } from "kysely";
import { applyChange, type RuntimeConfig } from "../../engine/stack/change";
import { RequestOf } from "../database/sealing/requests";
import type { DeploymentRow, OperationRow, Tables } from "../database/tables";
import { KINDS } from "../kinds/kinds";
import { desiredStateOf, isProtectedBy, sameConfig } from "./desired";
import { enqueue } from "./queue";

/** Returns the operations of a deployment that have not ended, in the order in which they are carried out. */
export function activeOf(transaction: Transaction<Tables>, deployment: string): Promise<OperationRow[]> {
  return transaction
    .selectFrom("operation")
    .selectAll()
    .where("deploymentId", "=", deployment)
    .where("state", "in", ["pending", "in_progress"])
    .orderBy("revision")
    .execute();
}

/** Whether one of these operations deletes its deployment. */
export const deletes = (operations: readonly Pick<OperationRow, "kind">[]): boolean =>
  operations.some(({ kind }) => KINDS[kind].deletes);

/** Returns the config of a deployment after a request that finds `before`. Pure. */
export function configAfter(
  before: RuntimeConfig | null,
  { kind, change }: Pick<OperationRow, "kind" | "change">,
  defaultPlatform: string,
): RuntimeConfig {
  const { deletes, creates } = KINDS[kind];
  if (deletes) return before ?? {};
  const { platform, deployment } = applyChange(creates ? {} : (before ?? {}), change, defaultPlatform);
  return { platform, deployment };
}

/** The desired state of a deployment. */
type Desired = Pick<DeploymentRow, "desiredState" | "protected" | "revision"> & {
  readonly desiredConfig: RequestOf<RuntimeConfig>;
};

/**
 * Bases the requests that wait on what the deployment has or will have, and returns its desired state after them. A
 * request that named a revision stays based on that: it fails if the deployment has changed. `isGoing`: an operation
 * deprovisions the deployment.
 */
export async function rebase(
  transaction: Transaction<Tables>,
  row: DeploymentRow,
  base: RuntimeConfig,
  queued: readonly OperationRow[],
  { defaultPlatform, isGoing }: { readonly defaultPlatform: string; readonly isGoing: boolean },
): Promise<Desired> {
  const owner = { tenant: row.tenant, deployment: row.id };
  let config = base;
  for (const each of queued) {
    const isBased = each.previousConfig !== null && sameConfig(each.previousConfig, config, row.id);
    if (!each.guarded && !isBased) {
      const previousConfig = new RequestOf(owner, config);
      await transaction.updateTable("operation").set({ previousConfig }).where("id", "=", each.id).execute();
    }
    config = configAfter(config, each, defaultPlatform);
  }
  const desiredState = isGoing ? "absent" : desiredStateOf(config);
  const isSame = desiredState === row.desiredState && sameConfig(row.desiredConfig, config, row.id);
  const revision = isSame ? row.revision : row.revision + 1;
  // Protected by the command line, or by the service before the state recorded it.
  const isProtected = row.protected || isProtectedBy(config);
  return { desiredConfig: new RequestOf(owner, config), desiredState, revision, protected: isProtected };
}

/** Message of an operation that has a job. */
export const WAITING = "waiting for a worker";

/** Queues the request that is carried out next, if there is one. */
export async function beginNext(
  transaction: Transaction<Tables>,
  next: Pick<OperationRow, "id"> | undefined,
): Promise<void> {
  if (!next) return;
  await transaction.updateTable("operation").set({ message: WAITING }).where("id", "=", next.id).execute();
  await enqueue(transaction, next.id);
}

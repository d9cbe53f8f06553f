import type { Transaction } from "kysely";
import { removeSecretValues } from "../../../engine/stack/secretValues";
import { RequestOf } from "../../database/sealing/requests";
import type { DeploymentRow, OperationRow, Tables } from "../../database/tables";
import { OperationError } from "../error";
import { deletes, rebase } from "../queued";

/**
 * Takes back a request that never began: the deployment is desired as before it, with the changes of the requests that
 * wait behind it. `others` are the other operations of the deployment that have not ended.
 */
export async function takeBack(
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

import type { Transaction } from "kysely";
import { removeSecretValues } from "../../../engine/stack/secretValues";
import { RequestOf } from "../../database/sealing/requests";
import type { OperationRow, Tables } from "../../database/tables";
import { desiredStateOf } from "../desired";

/**
 * Reverts the request of an operation that never started. If another operation is running, its end determines the
 * request instead.
 */
export async function revertRequest(
  transaction: Transaction<Tables>,
  { tenant, deploymentId, previousConfig }: OperationRow,
): Promise<void> {
  const working = await transaction
    .selectFrom("operation")
    .select("id")
    .where("deploymentId", "=", deploymentId)
    .where("state", "=", "in_progress")
    .executeTakeFirst();
  if (working !== undefined) return;
  const now = new Date();
  const owner = { tenant, deployment: deploymentId };
  const rows = transaction.selectFrom("deployment").select(["id", "tenant", "desiredConfig"]);
  const { desiredConfig } = await rows.where("id", "=", deploymentId).executeTakeFirstOrThrow();
  await transaction
    .updateTable("deployment")
    .set(
      previousConfig === null
        ? { deletedAt: now, desiredConfig: new RequestOf(owner, removeSecretValues(desiredConfig)) }
        : {
            desiredConfig: new RequestOf(owner, previousConfig),
            desiredState: desiredStateOf(previousConfig),
          },
    )
    .set({ updatedAt: now })
    .where("id", "=", deploymentId)
    .execute();
}

import type { Transaction } from "kysely";
import { RequestOf } from "../../database/sealing/requests";
import type { OperationRow, Tables } from "../../database/tables";
import { desiredStateOf, NOTHING_DESIRED } from "../desired";

/** Takes the request of an operation that never began back, unless another one is working: that one's end says what the request is. */
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
  await transaction
    .updateTable("deployment")
    .set(
      previousConfig === null
        ? { deletedAt: now, desiredConfig: new RequestOf(owner, NOTHING_DESIRED) }
        : {
            desiredConfig: new RequestOf(owner, previousConfig),
            desiredState: desiredStateOf(previousConfig),
          },
    )
    .set({ updatedAt: now })
    .where("id", "=", deploymentId)
    .execute();
}

import type { Transaction } from "kysely";
import type { DeploymentRow, Tables } from "../../database/tables";
import { audit } from "../audit";
import { OperationError } from "../error";
import type { Asking, Caller } from "../input";
import { mayRequest } from "../mayRequest";

/** Protects a deployment from being deprovisioned, or removes the protection. */
export async function setProtection(
  transaction: Transaction<Tables>,
  name: string,
  isProtected: boolean,
  caller: Caller,
  { revision, dryRun = false }: Pick<Asking, "revision" | "dryRun">,
): Promise<DeploymentRow> {
  const rows = transaction.selectFrom("deployment").selectAll().where("tenant", "=", caller.tenant);
  const row = await rows.where("name", "=", name).forUpdate().executeTakeFirst();
  mayRequest({ deployment: name, kind: "update", revision }, row);
  if (row === undefined)
    throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${name}`, path: "id" });
  if (dryRun) return row;
  await audit(transaction, caller, { action: isProtected ? "protect" : "unprotect", target: name }, "accepted");
  return transaction
    .updateTable("deployment")
    .set({ protected: isProtected, updatedAt: new Date() })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

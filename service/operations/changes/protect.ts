import type { Transaction } from "kysely";
import { lockedById, revise } from "../../database/queries/deployments";
import { RequestOf } from "../../database/sealing/requests";
import type { DeploymentRow, Tables } from "../../database/tables";
import { audit } from "../audit";
import { OperationError } from "../error";
import type { Asking, Caller } from "../input";
import { mayRequest } from "../limits/mayRequest";
import { operationFor } from "../operationFor";
import type { OnEnd } from "../queue";
import { configAfter } from "../queued";

export interface ProtectOptions {
  readonly defaultPlatform: string;
  readonly onEnd?: OnEnd;
}

/**
 * Protects the data of a deployment, or removes the protection. It holds at once for the service; an operation records
 * it in the state of the stack, so that it holds for the command line too.
 */
export async function setProtection(
  transaction: Transaction<Tables>,
  name: string,
  isProtected: boolean,
  caller: Caller,
  { revision, dryRun = false }: Pick<Asking, "revision" | "dryRun">,
  { defaultPlatform, onEnd }: ProtectOptions,
): Promise<DeploymentRow> {
  const row = await lockedById(transaction, caller.tenant, name);
  mayRequest({ deployment: name, kind: "update", revision }, row);
  if (row === undefined)
    throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${name}`, path: "id" });
  if (dryRun) return row;
  await audit(transaction, caller, { action: isProtected ? "protect" : "unprotect", target: name }, "accepted");
  const change = { deployment: { protected: isProtected } };
  const desired = configAfter(row.desiredConfig, { kind: "update", change }, defaultPlatform);
  const desiredConfig = new RequestOf({ tenant: row.tenant, deployment: row.id }, desired);
  const updated = await revise(transaction, row, { protected: isProtected, desiredConfig });
  const asked = { deployment: name, kind: "update" as const, change, revision };
  await operationFor(transaction, asked, caller, updated, { previousConfig: row.desiredConfig, onEnd });
  return updated;
}

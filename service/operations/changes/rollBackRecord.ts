import type { Transaction } from "kysely";
import { isObject } from "../../../foundation/json/isObject";
import type { RuntimeConfig } from "../../../engine/stack/change";
import { lockedById, revise } from "../../database/queries/deployments";
import { newestOf } from "../../database/queries/operations";
import { RequestOf } from "../../database/sealing/requests";
import { ENDED, type DeploymentRow, type Tables } from "../../database/tables";
import { upgradesKyma } from "../../kinds/kinds";
import type { Caller } from "../input";
import { audit } from "../audit";
import { OperationError } from "../error";

/**
 * Restores the Kyma configuration recorded before an upgrade, for a cluster that was restored from a backup. Requires
 * that the upgrade is the last operation and has ended.
 */
export async function rollBackRecord(
  transaction: Transaction<Tables>,
  name: string,
  caller: Caller,
): Promise<DeploymentRow> {
  const row = await lockedById(transaction, caller.tenant, name);
  if (row?.deletedAt !== null)
    throw new OperationError("NOT_FOUND", { reason: `there is no runtime ${name}`, path: "id" });
  const [newest] = await newestOf(transaction, [row.id]);
  if (!newest || !upgradesKyma(newest) || !ENDED.has(newest.state)) {
    const reason = "upgrade can be rolled back only if it is the last operation that is already finished";
    throw new OperationError("CONFLICT", { reason, path: "id" });
  }
  await audit(transaction, caller, { action: "rollBackRecord", target: name, details: { of: newest.id } }, "accepted");
  const owner = { tenant: row.tenant, deployment: row.id };
  const desiredConfig = new RequestOf(owner, withKymaOf(row.desiredConfig, newest.previousConfig));
  return revise(transaction, row, { desiredConfig });
}

/** Returns a desired config with the Kyma of another one. Pure. */
export function withKymaOf(desiredConfig: RuntimeConfig, other: RuntimeConfig | null): RuntimeConfig {
  const kyma = isObject(other?.deployment) ? other.deployment.kyma : undefined;
  const deployment = { ...(isObject(desiredConfig.deployment) ? desiredConfig.deployment : {}), kyma };
  // A field without a value is not stored.
  return { ...desiredConfig, deployment };
}

import { sql, type Transaction } from "kysely";
import type { Tables } from "../../database/tables";
import { OperationError } from "../error";

/** Key of the quota for tenants without their own. */
const EVERYBODY = "*";

/** Maximum number of deployments and slots per tenant; undefined or null means no limit. */
export interface Quota {
  readonly deployments?: number | null;
  readonly slots?: number | null;
}

/**
 * Throws if a deployment of this size would exceed its tenant's quota. Concurrent requests of a tenant wait for the
 * transaction, so that two can't use the same remaining quota.
 */
export async function checkQuota(
  transaction: Transaction<Tables>,
  { tenant, deployment, slots }: { readonly tenant: string; readonly deployment: string; readonly slots: number },
  otherwise: Quota = {},
): Promise<void> {
  const quotas = await transaction.selectFrom("quota").selectAll().where("tenant", "in", [tenant, EVERYBODY]).execute();
  const quota: Quota = quotas.find((one) => one.tenant === tenant) ?? quotas[0] ?? otherwise;
  if ((quota.deployments ?? quota.slots ?? null) === null) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stackyard quota ${tenant}`}, 0))`.execute(transaction);
  const used = await transaction
    .selectFrom("deployment")
    .select(({ fn }) => [
      fn.countAll<string>().as("deployments"),
      sql<string>`coalesce(sum(coalesce((desired_config #>> '{deployment,slots}')::int, 1)), 0)`.as("slots"),
    ])
    .where("tenant", "=", tenant)
    .where("name", "!=", deployment)
    .where("deletedAt", "is", null)
    .executeTakeFirstOrThrow();
  const wouldBe = { deployments: Number(used.deployments) + 1, slots: Number(used.slots) + slots };
  for (const what of ["deployments", "slots"] as const) {
    const most = quota[what] ?? null;
    if (most === null || wouldBe[what] <= most) continue;
    throw new OperationError("QUOTA_EXCEEDED", {
      reason: `tenant ${tenant} may have ${most} ${what}; with this request it would have ${wouldBe[what]}`,
      path: what === "slots" ? "slots" : undefined,
      advice: "Deprovision what is not needed, or ask an administrator for a larger quota",
    });
  }
}

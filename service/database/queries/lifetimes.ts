import { sql } from "kysely";
import type { Lifetime } from "../../lifetimes/rules";
import type { Connection } from "../database";
import type { DeploymentRow } from "../tables";
import type { LifetimeRow } from "../watchTables";

/** A lifetime, with what of its deployment decides about it. */
export type JudgedLifetime = LifetimeRow & Pick<DeploymentRow, "desiredState" | "protected" | "deletedAt">;

/** The lifetimes of deployments by stack. The caller must have checked the tenant. */
export function lifetimesOf(connection: Connection, ids: readonly string[]): Promise<JudgedLifetime[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return connection
    .selectFrom("lifetime")
    .innerJoin("deployment", "deployment.id", "lifetime.deploymentId")
    .selectAll("lifetime")
    .select(["deployment.desiredState", "deployment.protected", "deployment.deletedAt"])
    .where("lifetime.deploymentId", "in", [...ids])
    .execute();
}

/** Stores the limits of a deployment. The next sweep judges what is announced by them. */
export async function storeLifetime(
  connection: Connection,
  deploymentId: string,
  { timeToLive, idleLimit, stoppedRetention, setAt, usedAt, stoppedAt }: Lifetime,
): Promise<void> {
  const row = { timeToLive, idleLimit, stoppedRetention, setAt, usedAt, stoppedAt, nextAt: sql<Date>`now()` };
  await connection
    .insertInto("lifetime")
    .values({ deploymentId, ...row })
    .onConflict((conflict) => conflict.column("deploymentId").doUpdateSet(row))
    .execute();
}

/** Records a use. A sweep that looks too early for that looks again later. */
export async function noteUse(connection: Connection, deploymentId: string): Promise<void> {
  await connection
    .updateTable("lifetime")
    .set({ usedAt: sql<Date>`now()` })
    .where("deploymentId", "=", deploymentId)
    .execute();
}

/** Whether a use, by the command line, is later than those that are recorded. */
export async function isNewUse(connection: Connection, deploymentId: string, at: Date): Promise<boolean> {
  const older = connection.selectFrom("lifetime").select("usedAt").where("deploymentId", "=", deploymentId);
  return (await older.where("usedAt", "<", at).executeTakeFirst()) !== undefined;
}

/**
 * Records a use by the command line, which the service sees later. Of a hibernated deployment it is a wake, after which a
 * time to live that is over begins again.
 */
export async function noteUseByHand(connection: Connection, deploymentId: string, at: Date): Promise<void> {
  await connection
    .updateTable("lifetime")
    .set({
      usedAt: at,
      setAt: sql<Date>`case when stopped_at is not null and set_at + time_to_live * interval '1 second' <= ${at} then ${at} else set_at end`,
    })
    .where("deploymentId", "=", deploymentId)
    .where("usedAt", "<", at)
    .execute();
}

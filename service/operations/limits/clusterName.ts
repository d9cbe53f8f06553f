import { isDeepStrictEqual } from "node:util";
import { sql, type Transaction } from "kysely";
import type { RuntimeConfig } from "../../../engine/stack/change";
import { byClusterName, clusterNameOf } from "../../database/queries/clusterNames";
import { byId } from "../../database/queries/deployments";
import type { DeploymentRow, Tables } from "../../database/tables";
import { OperationError } from "../error";

/** Path of a cluster's name in a request. */
export const CLUSTER_NAME = "cluster.name";

/**
 * Throws if the cluster that a deployment names belongs to another deployment, of any tenant. Concurrent requests for
 * the cluster wait for the transaction.
 */
export async function demandCluster(
  transaction: Transaction<Tables>,
  desiredConfig: RuntimeConfig,
  { tenant, name }: Pick<DeploymentRow, "tenant" | "name">,
): Promise<void> {
  const cluster = clusterNameOf(desiredConfig);
  if (cluster === undefined) return;
  const lock = JSON.stringify([cluster.platform, cluster.provisioner, cluster.name]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stackyard cluster ${lock}`}, 0))`.execute(transaction);
  const holder = await byClusterName(transaction, cluster);
  if (holder === undefined || (holder.tenant === tenant && holder.name === name)) return;
  const own = await byId(transaction, tenant, name);
  // From before names had one owner: it goes on working, and so does the holder.
  if (own?.deletedAt === null && isDeepStrictEqual(clusterNameOf(own.desiredConfig), cluster)) return;
  const whose = holder.tenant === tenant ? `deployment ${holder.name}` : "another deployment";
  throw new OperationError("CONFLICT", {
    reason: `cluster ${cluster.name} of provisioner ${cluster.provisioner} belongs to ${whose}`,
    path: CLUSTER_NAME,
    advice: "Choose another name for the cluster",
  });
}

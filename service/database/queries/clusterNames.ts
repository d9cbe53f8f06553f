import { isObject } from "../../../foundation/json/isObject";
import type { RuntimeConfig } from "../../../engine/stack/change";
import type { Connection } from "../database";
import type { DeploymentRow } from "../tables";

/** A cluster by the name that a deployment gives it, as the migrations store it. */
export interface ClusterName {
  readonly platform: string;
  readonly provisioner: string;
  readonly name: string;
}

/** Undefined if a deployment names no cluster. Pure. */
export function clusterNameOf({ platform, deployment }: RuntimeConfig): ClusterName | undefined {
  if (!isObject(deployment) || !isObject(deployment["cluster"])) return undefined;
  const { name } = deployment["cluster"];
  if (typeof name !== "string") return undefined;
  return { platform: textOf(platform), provisioner: textOf(deployment["provisioner"]), name };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns the deployment of any tenant that has the cluster. The caller must not show another tenant's. */
export function byClusterName(
  database: Connection,
  { platform, provisioner, name }: ClusterName,
): Promise<DeploymentRow | undefined> {
  return database
    .selectFrom("deployment")
    .innerJoin("clusterName", "clusterName.deploymentId", "deployment.id")
    .selectAll("deployment")
    .where("clusterName.platform", "=", platform)
    .where("clusterName.provisioner", "=", provisioner)
    .where("clusterName.name", "=", name)
    .executeTakeFirst();
}

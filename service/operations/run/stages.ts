import type { DeploymentRow, OperationRow } from "../../database/tables";
import { has } from "../desired";
import { clusterStages, type ClusterWork } from "../../gardener/clusterStages";
import { DEPLOYMENT_STAGES } from "./deploymentStages";
import type { Stage } from "./stage";

type Kind = Pick<OperationRow, "kind" | "change">;

/** Returns the stages of an operation on a deployment. */
export type StagesFor = (operation: Kind, deployment: Pick<DeploymentRow, "desiredConfig">) => readonly Stage[];

/** Without `work`, the engine itself waits for clusters. */
export const stagesWith =
  (work: ClusterWork | undefined): StagesFor =>
  (operation, deployment) =>
    work && has(deployment.desiredConfig, "cluster")
      ? clusterStages(operation, deployment, work)
      : DEPLOYMENT_STAGES[operation.kind];

import { has } from "../operations/desired";
import { clusterStages, type ClusterWork } from "../gardener/clusterStages";
import { DEPLOYMENT_STAGES } from "../operations/run/deploymentStages";
import type { StagesFor } from "../operations/run/stage";

/** Without `work`, the engine itself waits for clusters. */
export const stagesWith =
  (work: ClusterWork | undefined): StagesFor =>
  (operation, deployment) =>
    work && has(deployment.desiredConfig, "cluster")
      ? clusterStages(operation, deployment, work)
      : DEPLOYMENT_STAGES[operation.kind];

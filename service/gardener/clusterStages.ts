import type { DeploymentRow, OperationRow } from "../database/tables";
import type { ClusterLimits, LimitsByKyma } from "../kinds/clusterLimits";
import { KINDS, upgradesKyma } from "../kinds/kinds";
import type { ShootsAtWork } from "./shoots";
import { has } from "../operations/desired";
import { applyWith, deploymentStages, settle } from "../operations/run/deploymentStages";
import type { Stage, StagesFor } from "../operations/run/stage";
import { deletionStages } from "./deletionStages";
import { writingShoot, type WriteShoot } from "./shootFile";
import { waiting } from "./waiting";

/** What operations on clusters need. */
export interface ClusterWork {
  readonly shoots: ShootsAtWork;
  readonly limits: LimitsByKyma;
  /** Writes the Shoots of new runtimes to files. Default: no files. */
  readonly writeShoot?: WriteShoot;
}

/**
 * Returns the stages of an operation on a deployment with a cluster. The engine only starts a change of the cluster,
 * and later applies the cluster's content. While Gardener works, the operation waits without an engine.
 */
export function clusterStages(
  { kind, change }: Pick<OperationRow, "kind" | "change">,
  deployment: Pick<DeploymentRow, "desiredConfig">,
  { shoots, limits: { kyma, bare }, writeShoot }: ClusterWork,
): readonly Stage[] {
  const { creates, deletes, cluster } = KINDS[kind];
  const hasKyma = has(deployment.desiredConfig, "kyma");
  const limits = hasKyma ? kyma : bare;
  if (deletes) return [settle, ...deletionStages(shoots, limits, hasKyma)];
  if (cluster === undefined) return [settle, applyWith({ name: "apply", limitMs: limits.installation })];
  if (upgradesKyma({ kind, change })) return [settle, applyWith({ name: "StartingUpgrade", limitMs: limits.upgrade })];
  const begin = applyWith({ name: "apply", only: "cluster" });
  return [
    settle,
    creates && writeShoot ? writingShoot(begin, writeShoot) : begin,
    ...cluster.waits.map(({ limit, ...wait }) => waiting({ ...wait, limitMs: limits[limit], shoots })),
    ...(cluster.changesContent ? [contentOf(hasKyma, limits)] : []),
  ];
}

/** Bindings, Kyma and its agent. */
function contentOf(hasKyma: boolean, { bindings, installation }: ClusterLimits): Stage {
  return hasKyma
    ? applyWith({ name: "WaitingForInstallation", limitMs: installation })
    : applyWith({ name: "CreatingBindingsForOperators", limitMs: bindings });
}

/** Without `work`, the engine itself waits for clusters. */
export const stagesWith =
  (work: ClusterWork | undefined): StagesFor =>
  (operation, deployment) =>
    work && has(deployment.desiredConfig, "cluster")
      ? clusterStages(operation, deployment, work)
      : deploymentStages(operation);

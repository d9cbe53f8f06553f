import type { Goal, ShootVerdict } from "../../kubernetes/gardener/judge";
import type { DeploymentRow, OperationRow } from "../database/tables";
import type { ClusterLimits, LimitsByKyma } from "./limits";
import type { ShootsAtWork } from "./shoots";
import { has } from "../operations/desired";
import { applyWith, DEPLOYMENT_STAGES, settle } from "../operations/run/deploymentStages";
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
  const hasKyma = has(deployment.desiredConfig, "kyma");
  const limits = hasKyma ? kyma : bare;
  const wait = (name: ShootVerdict["stage"], goal: Goal, limitMs: number, alone = false) =>
    waiting({ name, goal, limitMs, alone, shoots });
  const begin = applyWith({ name: "apply", only: "cluster" });
  const inside = insideOf(hasKyma, limits);
  switch (kind) {
    case "provision":
      return [
        settle,
        writeShoot ? writingShoot(begin, writeShoot) : begin,
        wait("WaitingForClusterDomain", "created", limits.domain),
        wait("WaitingForClusterCreation", "created", limits.creation, true),
        inside,
      ];
    case "update":
    case "move":
      if (change.deployment.cluster === undefined && change.deployment.kyma !== undefined) {
        return [settle, applyWith({ name: "StartingUpgrade", limitMs: limits.upgrade })];
      }
      return [
        settle,
        begin,
        wait("WaitingForShootNewVersion", "changed", limits.shootRefresh),
        wait("WaitingForShootUpgrade", "changed", limits.shootUpgrade, true),
        inside,
      ];
    case "wake":
      return [settle, begin, wait("WaitForHibernation", "changed", limits.hibernation, true), inside];
    case "hibernate":
      return [settle, begin, wait("WaitForHibernation", "changed", limits.hibernation, true)];
    case "refresh":
      return [settle, applyWith({ name: "apply", limitMs: limits.installation })];
    case "deprovision":
      return [settle, ...deletionStages(shoots, limits, hasKyma)];
  }
}

/** Bindings, Kyma and its agent. */
function insideOf(hasKyma: boolean, { bindings, installation }: ClusterLimits): Stage {
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
      : DEPLOYMENT_STAGES[operation.kind];

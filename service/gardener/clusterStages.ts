import { judge, type Goal, type Verdict } from "../../kubernetes/gardener/judge";
import type { KubeObject } from "../../kubernetes/client/objects";
import type { DeploymentRow, OperationRow } from "../database/tables";
import type { ClusterLimits, LimitsByKyma } from "./limits";
import type { Shoots } from "./shoots";
import { has } from "../operations/desired";
import { OperationError } from "../operations/error";
import { applyWith, destroy, settle } from "../operations/run/deploymentStages";
import { StageFailure } from "../operations/run/failure";
import type { Stage, StageEnd } from "../operations/run/stage";

/** What operations on clusters stand on. */
export interface ClusterWork {
  readonly shoots: Pick<Shoots, "of" | "retry">;
  readonly limits: LimitsByKyma;
}

const FIRST_WAIT_MS = 1_000;
/** Gardener needs minutes; the original looks as often. */
const LONGEST_WAIT_MS = 20_000;

/**
 * The stages of an operation on a deployment with a cluster. An engine only begins a change of the cluster, and later does
 * what is in it: nobody holds an engine while Gardener works.
 */
export function clusterStages(
  { kind, change }: Pick<OperationRow, "kind" | "change">,
  deployment: Pick<DeploymentRow, "wish">,
  { shoots, limits: { kyma, bare } }: ClusterWork,
): readonly Stage[] {
  const hasKyma = has(deployment.wish, "kyma");
  const limits = hasKyma ? kyma : bare;
  const wait = (name: Verdict["stage"], goal: Goal, limitMs: number, alone = false) =>
    waiting({ name, goal, limitMs, alone, shoots });
  const begin = applyWith({ name: "apply", only: "cluster" });
  const inside = insideOf(hasKyma, limits);
  switch (kind) {
    case "provision":
      return [
        settle,
        begin,
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
      return [settle, { ...destroy, limitMs: limits.deletion }];
  }
}

/** Bindings, Kyma and its agent. */
function insideOf(hasKyma: boolean, { bindings, installation }: ClusterLimits): Stage {
  return hasKyma
    ? applyWith({ name: "WaitingForInstallation", limitMs: installation })
    : applyWith({ name: "CreatingBindingsForOperators", limitMs: bindings });
}

interface Waiting {
  readonly name: Verdict["stage"];
  readonly goal: Goal;
  readonly limitMs: number;
  /** Whether it ends only when Gardener is done, and not when Gardener is in another stage. */
  readonly alone: boolean;
  readonly shoots: ClusterWork["shoots"];
}

function waiting({ name, goal, limitMs, alone, shoots }: Waiting): Stage {
  return {
    name,
    limitMs,
    async run({ deployment, limitMs: left, signal }): Promise<StageEnd> {
      let shoot: KubeObject | undefined;
      try {
        shoot = await shoots.of(deployment, signal);
      } catch (error) {
        throw away(error);
      }
      const verdict = judge(shoot, goal);
      if (verdict.state === "done" || (!alone && verdict.state === "waiting" && verdict.stage !== name)) {
        return { end: "done" };
      }
      if (verdict.state === "failed") throw failed(verdict, false);
      if (verdict.state === "retry") {
        await shoots.retry(deployment);
        throw failed(verdict, true);
      }
      return { end: "waits", afterMs: pauseAfter(limitMs - left), because: verdict.progress };
    },
  };
}

/** The longer it has taken, the less often it is looked at. */
const pauseAfter = (ms: number): number => Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, Math.round(ms / 4)));

function away(error: unknown): StageFailure {
  const reason = `Gardener does not answer: ${error instanceof Error ? error.message : String(error)}`;
  const parts = { reason, component: "gardener", retryable: true };
  return new StageFailure({ error: new OperationError("UNAVAILABLE", parts, { cause: error }), passes: true });
}

function failed({ progress, codes, advice }: Verdict, passes: boolean): StageFailure {
  const reason = `Gardener failed: ${progress}${codes.length > 0 ? ` (${codes.join(", ")})` : ""}`;
  const parts = { reason, component: "gardener", ...(advice !== "" && { advice }), retryable: true };
  return new StageFailure({ error: new OperationError("PROVISIONING_FAILED", parts), passes });
}

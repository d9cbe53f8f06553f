/**
 * Evaluates the progress of Gardener on a Shoot, in the stages of the original Runtime Provisioner. Pure; the service
 * uses it too.
 */

import { at, textAt, type KubeObject } from "../objects/objects";
import { adviceOn, classOf, mayBeForced } from "./codes";
import {
  FORCE_ANNOTATION,
  isHibernated,
  lastErrorsOf,
  lastOperationOf,
  OPERATION_ANNOTATION,
  violated,
  wantsHibernation,
} from "./shoot";

/** The state to wait for. */
export type Goal = "created" | "changed" | "deleted";

export type Stage =
  | "WaitingForClusterDomain"
  | "WaitingForClusterCreation"
  | "WaitingForShootNewVersion"
  | "WaitingForShootUpgrade"
  | "WaitForHibernation"
  | "DeprovisionCluster"
  | "WaitForClusterDeletion";

export interface ShootVerdict {
  readonly stage: Stage;
  /** `retry`: Gardener stopped and should be asked to try again. */
  readonly state: "waiting" | "done" | "failed" | "retry";
  /** Progress in one line. */
  readonly progress: string;
  /** Progress of Gardener's operation, in percent. */
  readonly percent?: number;
  /** Gardener's codes of the current errors. */
  readonly codes: readonly string[];
  readonly advice: string;
}

/** `shoot` is undefined if it does not exist. */
export function judgeShoot(shoot: KubeObject | undefined, goal: Goal): ShootVerdict {
  if (goal === "deleted") return judgeDeletion(shoot);
  if (shoot === undefined) {
    const progress = "the Shoot was deleted outside of this stack";
    return { stage: stageOf(undefined, goal), state: "failed", progress, codes: [], advice: "" };
  }
  const stage = stageOf(shoot, goal);
  if (shoot.metadata.deletionTimestamp !== undefined) {
    return { ...waitingVerdict(shoot, stage), state: "failed", progress: "the Shoot is being deleted" };
  }
  // Until Gardener has observed the change, the status describes the previous specification.
  if (!isObserved(shoot))
    return { ...waitingVerdict(shoot, stage), state: "waiting", progress: "Gardener has not seen the change yet" };
  const operation = lastOperationOf(shoot);
  const verdict = waitingVerdict(shoot, stage);
  if (operation?.state === "Succeeded") return afterSuccess(shoot, verdict);
  if (operation?.state === "Failed") return afterFailure(verdict, goal === "created" && operation.type === "Reconcile");
  return verdict;
}

function stageOf(shoot: KubeObject | undefined, goal: Goal): Stage {
  if (goal === "created") {
    const hasDomain = textAt(shoot, "spec", "dns", "domain") !== undefined;
    return hasDomain ? "WaitingForClusterCreation" : "WaitingForClusterDomain";
  }
  if (shoot === undefined || !isObserved(shoot)) return "WaitingForShootNewVersion";
  return wantsHibernation(shoot) === isHibernated(shoot) ? "WaitingForShootUpgrade" : "WaitForHibernation";
}

/** False while Gardener has not started a requested retry, which is an annotation. */
const isObserved = (shoot: KubeObject): boolean =>
  at(shoot, "status", "observedGeneration") === shoot.metadata.generation &&
  shoot.metadata.annotations?.[OPERATION_ANNOTATION] === undefined;

/** A verdict to keep waiting, with Gardener's progress and errors. */
function waitingVerdict(shoot: KubeObject, stage: Stage): ShootVerdict {
  const operation = lastOperationOf(shoot);
  const { codes, descriptions } = lastErrorsOf(shoot);
  const trouble = descriptions.length > 0 ? `: ${descriptions.join("; ")}` : "";
  const progress = operation
    ? `${operation.type} ${operation.state}, ${operation.progress} %${trouble || (operation.description && `: ${operation.description}`)}`
    : "Gardener has not begun yet";
  const percent = operation && { percent: operation.progress };
  return { stage, state: "waiting", progress, ...percent, codes, advice: adviceOn(codes) };
}

function afterSuccess(shoot: KubeObject, verdict: ShootVerdict): ShootVerdict {
  const asleep = wantsHibernation(shoot);
  if (asleep !== isHibernated(shoot)) {
    return {
      ...verdict,
      stage: "WaitForHibernation",
      progress: asleep ? "it is still awake" : "it is still hibernated",
    };
  }
  const away = asleep ? undefined : violated(shoot, "APIServerAvailable");
  if (away !== undefined) return { ...verdict, progress: `its API server is not available: ${away}` };
  return { ...verdict, state: "done" };
}

/** `again`: Gardener failed to reconcile an existing cluster, which may be temporary. */
function afterFailure(verdict: ShootVerdict, again: boolean): ShootVerdict {
  if (again) return { ...verdict, state: "retry" };
  const kind = classOf(verdict.codes);
  return { ...verdict, state: kind === "final" ? "failed" : "retry" };
}

function judgeDeletion(shoot: KubeObject | undefined): ShootVerdict {
  if (shoot === undefined) {
    return { stage: "WaitForClusterDeletion", state: "done", progress: "it is gone", codes: [], advice: "" };
  }
  if (shoot.metadata.deletionTimestamp === undefined) return waitingVerdict(shoot, "DeprovisionCluster");
  const verdict = waitingVerdict(shoot, "WaitForClusterDeletion");
  const operation = lastOperationOf(shoot);
  const isForced = shoot.metadata.annotations?.[FORCE_ANNOTATION] === "true";
  if (operation?.type !== "Delete" || operation.state !== "Failed" || isForced) return verdict;
  if (classOf(verdict.codes) !== "final") return { ...verdict, state: "retry" };
  return {
    ...verdict,
    state: "failed",
    advice: [verdict.advice, forceAdvice(verdict.codes)].filter(Boolean).join(". "),
  };
}

/** How to force a deletion, if Gardener permits that. */
const forceAdvice = (codes: readonly string[]): string =>
  mayBeForced(codes)
    ? `A deletion can be forced, which leaves in the cloud what Gardener could not delete: set allowForceDeletion of the provisioner, or annotate the Shoot with ${FORCE_ANNOTATION}=true`
    : "";

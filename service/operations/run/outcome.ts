import { isByService } from "../../../components/runtime/record/record";
import { usedRevisions, type UsedRevisions } from "../../../engine/runtime/outdated";
import { isEmptyState, presentIn } from "../../../engine/runtime/request/recorded";
import { configOf } from "../../../engine/runtime/request/requests";
import type { RuntimeConfig } from "../../../engine/stack/change";
import type { StackState } from "../../../engine/pulumi/state/checkpoint";
import { isObject } from "../../../foundation/json/isObject";
import type { OperationRow } from "../../database/tables";
import { sameConfig } from "../desired";
import { OperationError } from "../error";

/** What a deployment has, according to the state of its stack. */
export interface DeployedState {
  /** The config that was last applied or started; undefined if the state does not contain it. */
  readonly desiredConfig?: RuntimeConfig;
  readonly provisioner: string | null;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly revisions: UsedRevisions;
  /** When somebody else than the service last changed it, if that was the last change. */
  readonly usedAt?: Date;
}

/** Reads what exists; null if nothing is left or nothing was ever created. Pure. */
export function deployedState(state: StackState | undefined, id: string): DeployedState | null {
  if (state === undefined) return null;
  const present = presentIn(state);
  if (present === undefined && isEmptyState(state)) return null;
  const { latest, provisioner } = present ?? {};
  const { change } = latest ?? {};
  return {
    ...(latest !== undefined && { desiredConfig: configOf(latest, id) }),
    ...(change !== undefined && !isByService(change) && { usedAt: new Date(change.at) }),
    provisioner: provisioner ?? null,
    outputs: state.outputs,
    revisions: usedRevisions(state, latest),
  };
}

/**
 * Throws if an operation whose request named a revision finds another config than that revision had: an earlier
 * operation failed or was canceled, or the stack was changed by hand. Pure.
 */
export function expectBasis(
  { deploymentId: stack, previousConfig }: Pick<OperationRow, "deploymentId" | "previousConfig">,
  has: DeployedState | null,
): void {
  if (previousConfig === null) return;
  // The state of an older version or with a secret request does not show the config.
  if (has !== null && has.desiredConfig === undefined) return;
  if (has?.desiredConfig && sameConfig(recorded(has.desiredConfig), recorded(previousConfig), stack)) return;
  throw changedSince();
}

export const changedSince = (): OperationError =>
  new OperationError("CONFLICT", {
    reason: "the deployment was changed since the revision that the request names",
    path: "revision",
    advice: "Read it again, then send the change with its current revision",
  });

/** A rollback of the record restores Kyma only in the database, so the state of the stack may have another. */
function recorded({ platform, deployment }: RuntimeConfig): RuntimeConfig {
  return { platform, deployment: isObject(deployment) ? { ...deployment, kyma: undefined } : deployment };
}

import { isObject } from "../../foundation/json/isObject";
import { applyChange, missingFlags, type RuntimeChange, type RuntimeConfig } from "../../engine/stack/change";
import type { DesiredState, OperationKind } from "../database/tables";
import { OperationError } from "./error";

/** As much of a request as the service itself reads; its values have been checked. */
interface WantedDeployment {
  readonly slots?: number;
  readonly state?: "running" | "hibernated";
}

/** The request after a change. Throws if a first one does not say all that it must. Pure. */
export function desiredAfter(before: RuntimeConfig, change: RuntimeChange, defaultPlatform: string): RuntimeConfig {
  const { platform, deployment } = applyChange(before, change, defaultPlatform);
  const desired = { platform, deployment };
  if (missingFlags(desired).length > 0) {
    throw new OperationError("BAD_INPUT", {
      reason: 'version: found nothing; expected the image tag to run, such as "0.50.0"',
      component: "input",
      path: "version",
    });
  }
  return desired;
}

const wanted = ({ deployment }: RuntimeConfig): WantedDeployment => deployment ?? {};

export const slotsOf = (desired: RuntimeConfig): number => wanted(desired).slots ?? 1;

export const desiredStateOf = (desired: RuntimeConfig): Exclude<DesiredState, "absent"> =>
  wanted(desired).state ?? "running";

/** Whether a deployment is to have that: a cluster of its own, or Kyma in it. */
export const has = ({ deployment }: RuntimeConfig, what: "cluster" | "kyma"): boolean =>
  isObject(deployment) && isObject(deployment[what]);

/**
 * The change, with what is stored of Kyma where nothing of it is asked for: the state of the stack says something else after a
 * roll-back of the record. Pure.
 */
export function withRecord(
  before: { readonly desiredConfig: RuntimeConfig } | undefined,
  { kind, change }: { readonly kind: OperationKind; readonly change: RuntimeChange },
): RuntimeChange {
  const stored = isObject(before?.desiredConfig.deployment) ? before.desiredConfig.deployment.kyma : undefined;
  const isOther = kind === "hibernate" || kind === "wake" || kind === "refresh";
  if (!isOther || !isObject(stored)) return change;
  return { ...change, deployment: { kyma: stored, ...change.deployment } as RuntimeChange["deployment"] };
}

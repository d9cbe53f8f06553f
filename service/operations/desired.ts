import { decodeRuntimeConfig } from "../../components/runtime/deployment";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { isObject } from "../../foundation/json/isObject";
import { ConfigError } from "../../foundation/schema/faults";
import { applyChange, missingFlags, type RuntimeChange, type RuntimeConfig } from "../../engine/stack/change";
import type { DesiredState } from "../database/tables";
import { KINDS, type OperationKind } from "../kinds/kinds";
import { OperationError } from "./error";

/** The fields of a request that the service itself reads. They have been checked. */
interface WantedDeployment {
  readonly slots?: number;
  readonly state?: "running" | "hibernated";
  readonly protected?: boolean;
}

/** Returns the desired config after a change. Throws if the first request lacks a required field. Pure. */
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

/** Whether two configs of a stack request the same, whether or not they name the defaults. Pure. */
export const sameConfig = (one: RuntimeConfig, other: RuntimeConfig, stack: string): boolean =>
  complete(one, stack) === complete(other, stack);

function complete({ platform, deployment }: RuntimeConfig, stack: string): string {
  try {
    return canonicalJson(decodeRuntimeConfig({ platform, deployment }, stack));
  } catch (error) {
    if (error instanceof ConfigError) return canonicalJson({ platform, deployment });
    throw error;
  }
}

export const isProtectedBy = (desired: RuntimeConfig): boolean => wanted(desired).protected === true;

/** Whether the desired config has its own cluster, or Kyma in it. */
export const has = ({ deployment }: RuntimeConfig, what: "cluster" | "kyma"): boolean =>
  isObject(deployment) && isObject(deployment[what]);

/**
 * Adds the stored Kyma to a change that does not mention it: after a rollback of the record, the state of the stack is
 * out of date. Pure.
 */
export function withRecord(
  before: { readonly desiredConfig: RuntimeConfig } | undefined,
  { kind, change }: { readonly kind: OperationKind; readonly change: RuntimeChange },
): RuntimeChange {
  const stored = isObject(before?.desiredConfig.deployment) ? before.desiredConfig.deployment.kyma : undefined;
  const { change: fixed, deletes } = KINDS[kind];
  if (fixed === undefined || deletes || !isObject(stored)) return change;
  return { ...change, deployment: { kyma: stored, ...change.deployment } };
}

import type { DeploymentChange, RuntimeChange } from "../../engine/stack/change";
import type { OperationKind } from "../database/tables";

/** As much of an operation as another one can be folded into. */
export interface Foldable {
  readonly kind: OperationKind;
  readonly change: RuntimeChange;
  readonly refresh: boolean;
}

/** Two changes, one after the other, as one: what the newer one says counts. Pure. */
export function mergeChanges(older: RuntimeChange, newer: RuntimeChange): RuntimeChange {
  const annotations = { ...older.deployment.annotations, ...newer.deployment.annotations };
  const deployment: DeploymentChange = {
    ...older.deployment,
    ...newer.deployment,
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  const platform = newer.platform ?? older.platform;
  const move = newer.move === undefined ? older.move : newer.move;
  return { deployment, ...(platform !== undefined && { platform }), ...(move !== undefined && { move }) };
}

/**
 * What an operation that waits becomes when something is asked for after it: one operation that does both, and of what they
 * say otherwise the newer. Pure.
 */
export function fold(older: Foldable, newer: Foldable): Foldable {
  const refresh = older.refresh || newer.refresh;
  // Neither does anything of what was requested before it.
  if (newer.kind === "deprovision") return newer;
  if (older.kind === "deprovision") return newer;
  const change = mergeChanges(older.change, newer.change);
  if (newer.kind === "refresh") return { kind: older.kind, change, refresh };
  if (older.kind === "refresh" || older.kind === newer.kind) return { kind: newer.kind, change, refresh };
  // What is new is not there yet; all else an update can do.
  return { kind: older.kind === "provision" ? "provision" : "update", change, refresh };
}

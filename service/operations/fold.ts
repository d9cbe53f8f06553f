import type { DeploymentChange, RuntimeChange } from "../../engine/stack/change";
import { KINDS, type OperationKind } from "../kinds/kinds";

/** The fields of an operation that folding needs. */
export interface Foldable {
  readonly kind: OperationKind;
  readonly change: RuntimeChange;
  readonly refresh: boolean;
}

/** Combines two consecutive changes. The newer value of a field wins. Pure. */
export function mergeChanges(older: RuntimeChange, newer: RuntimeChange): RuntimeChange {
  const annotations = { ...older.deployment.annotations, ...newer.deployment.annotations };
  const deployment: DeploymentChange = {
    ...older.deployment,
    ...newer.deployment,
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  const platform = newer.platform ?? older.platform;
  const move = mergeMoves(older, newer);
  const disk = newer.disk ?? older.disk;
  return {
    deployment,
    ...(platform !== undefined && { platform }),
    ...(move !== undefined && { move }),
    ...(disk !== undefined && { disk }),
  };
}

/** A permitted move must agree with the provisioner, whichever of the changes names it. */
function mergeMoves(older: RuntimeChange, newer: RuntimeChange): string | null | undefined {
  const { provisioner = older.deployment.provisioner } = newer.deployment;
  if (newer.move === null) return null;
  const permitted = [newer.move, older.move].filter((move) => move !== undefined);
  if (provisioner === undefined) return permitted[0];
  return permitted.find((move) => move === provisioner);
}

/**
 * Combines a request that waits with the one that replaces it. The result does both; where they conflict, the newer one
 * wins. A deletion is never dropped. Pure.
 */
export function fold(older: Foldable, newer: Foldable): Foldable {
  const refresh = older.refresh || newer.refresh;
  // A deprovisioning makes earlier changes irrelevant, and requests after it are refused.
  if (KINDS[newer.kind].deletes) return newer;
  if (KINDS[older.kind].deletes) return older;
  const change = mergeChanges(older.change, newer.change);
  if (KINDS[newer.kind].refreshes) return { kind: older.kind, change, refresh };
  if (KINDS[older.kind].refreshes || older.kind === newer.kind) return { kind: newer.kind, change, refresh };
  // A runtime that does not exist yet must be provisioned; an update covers everything else.
  return { kind: KINDS[older.kind].creates ? older.kind : "update", change, refresh };
}

import type { DeploymentRow, OperationRow } from "../database/tables";
import { KINDS } from "../kinds/kinds";

/** Decides what a Runtime needs next. Pure. */

export interface Known {
  /** Its deployment, even if deprovisioned; undefined before the first request. */
  readonly deployment: Pick<DeploymentRow, "deletedAt"> | undefined;
  /** The newest operation of the deployment, of any caller. */
  readonly newest: Pick<OperationRow, "id" | "kind" | "state" | "requestedBy"> | undefined;
  /** Generation of the Runtime that was requested last. */
  readonly requested: number | undefined;
  readonly generation: number;
  /** Somebody asks to request it again. */
  readonly again: boolean;
  /** Somebody asks to request nothing. */
  readonly paused: boolean;
}

export type RuntimeStep =
  | { readonly do: "request"; readonly kind: "provision" | "update" }
  /** Wait for the operation. */
  | { readonly do: "wait" }
  /** Show how the newest operation ended. */
  | { readonly do: "rest" }
  | { readonly do: "refuse"; readonly reason: string };

export const isActive = ({ state }: Pick<OperationRow, "state">): boolean =>
  state === "pending" || state === "in_progress";

/** A spec is requested once; what others do with the deployment meanwhile stays until the spec changes. */
export function stepOf({ deployment, newest, requested, generation, again, paused }: Known): RuntimeStep {
  if (newest && isActive(newest)) return { do: "wait" };
  if (deployment?.deletedAt && newest && KINDS[newest.kind].deletes && newest.state === "succeeded") {
    const by = `operation ${newest.id} of ${newest.requestedBy}`;
    const reason = `the runtime was deprovisioned by ${by}; delete this Runtime, and create another one for a new cluster`;
    return { do: "refuse", reason };
  }
  const isNew = deployment === undefined || deployment.deletedAt !== null;
  const isDue = requested !== generation || again;
  if (paused || !isDue) return { do: "rest" };
  return { do: "request", kind: isNew ? "provision" : "update" };
}

export type DeletionStep =
  /** Nothing of it is left. */
  | { readonly do: "release" }
  | { readonly do: "wait" }
  | { readonly do: "cancel"; readonly operation: string }
  | { readonly do: "deprovision" };

/** Time after which a failed deletion is requested again. */
const AGAIN_MS = 10 * 60_000;

export interface Going {
  readonly deployment: Pick<DeploymentRow, "deletedAt"> | undefined;
  readonly newest:
    Pick<OperationRow, "id" | "kind" | "state" | "requestedBy" | "endedAt" | "cancelRequestedAt"> | undefined;
  /** Under which name the service requests operations of Runtimes. */
  readonly actor: string;
  readonly now: Date;
}

/** What a Runtime that is being deleted needs next. */
export function deletionStepOf({ deployment, newest, actor, now }: Going): DeletionStep {
  if (deployment === undefined || deployment.deletedAt !== null) return { do: "release" };
  if (newest === undefined) return { do: "deprovision" };
  const { deletes } = KINDS[newest.kind];
  if (isActive(newest)) {
    if (deletes === true || newest.cancelRequestedAt !== null) return { do: "wait" };
    // An operation of somebody else ends first: the deletion waits behind it.
    return newest.requestedBy === actor ? { do: "cancel", operation: newest.id } : { do: "deprovision" };
  }
  const endedAt = newest.endedAt?.getTime() ?? 0;
  const isTooSoon = deletes === true && now.getTime() - endedAt < AGAIN_MS;
  return isTooSoon ? { do: "wait" } : { do: "deprovision" };
}

import type { DeploymentRow } from "../../database/tables";
import { KINDS } from "../../kinds/kinds";
import type { OperationInput } from "../input";
import { OperationError } from "../error";

/**
 * Throws if the request does not apply to the tenant's deployment in its current state `before`. `deletion` is the
 * operation that deprovisions it. Pure.
 */
export function mayRequest(
  { deployment: id, kind, change, revision, mayBeGone = false }: OperationInput,
  before: Pick<DeploymentRow, "deletedAt" | "revision" | "desiredState" | "protected"> | undefined,
  deletion?: string,
): void {
  const { creates, deletes } = KINDS[kind];
  const isGoing = before?.desiredState === "absent";
  const isThere = before !== undefined && before.deletedAt === null;
  if (!creates && !isThere && !(mayBeGone && before !== undefined)) {
    throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${id}`, path: "id" });
  }
  if (revision !== undefined && (isThere ? before.revision : 0) !== revision) {
    throw new OperationError("CONFLICT", {
      reason: `deployment ${id} is at revision ${isThere ? before.revision : 0}, not at ${revision}`,
      path: "revision",
      advice: "Read it again, then send the change with its current revision",
    });
  }
  if (!deletes && isThere && isGoing) {
    throw new OperationError("CONFLICT", {
      reason: `deployment ${id} is being deprovisioned${deletion === undefined ? "" : ` by operation ${deletion}`}`,
      path: "id",
      advice: "Wait until that operation has ended, then send the request again",
    });
  }
  if (creates && isThere) {
    throw new OperationError("CONFLICT", {
      reason: `there is a deployment ${id} already`,
      path: "id",
      advice: "Update it, deprovision it first, or choose another id",
    });
  }
  if (before?.protected === true && mayDelete({ kind, change })) throw protectedError(id, { kind, change });
}

/** Whether a request may delete the disk, database, cluster or slots of a deployment. Pure. */
export const mayDelete = ({ kind, change }: Pick<OperationInput, "kind" | "change">): boolean =>
  KINDS[kind].mayDeleteData === true || typeof change?.move === "string";

export const protectedError = (id: string, asked: Pick<OperationInput, "kind" | "change">): OperationError =>
  new OperationError("PROTECTED", {
    reason:
      `deployment ${id} is protected, ` +
      (mayDelete(asked)
        ? `and ${asked.kind} may delete its disk, database, cluster or slots`
        : `so it is not ${KINDS[asked.kind].participle} when its lifetime ends`),
    path: "id",
    advice: `Ask an administrator to remove the protection: stackyard runtime unprotect ${id}`,
  });

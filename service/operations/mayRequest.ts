import type { DeploymentRow } from "../database/tables";
import type { OperationInput } from "./input";
import { OperationError } from "./error";

/** Throws if the request does not apply to the tenant's deployment in its current state `before`. Pure. */
export function mayRequest(
  { deployment: id, kind, revision, mayBeGone = false }: OperationInput,
  before: Pick<DeploymentRow, "deletedAt" | "revision" | "desiredState" | "protected"> | undefined,
): void {
  const isGoing = before?.desiredState === "absent";
  const isThere = before !== undefined && before.deletedAt === null;
  if (kind !== "provision" && !isThere && !(mayBeGone && before !== undefined)) {
    throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${id}`, path: "id" });
  }
  if (revision !== undefined && (isThere ? before.revision : 0) !== revision) {
    throw new OperationError("CONFLICT", {
      reason: `deployment ${id} is at revision ${isThere ? before.revision : 0}, not at ${revision}`,
      path: "revision",
      advice: "Read it again, then send the change with its current revision",
    });
  }
  if (kind === "provision" && isThere && !isGoing) {
    throw new OperationError("CONFLICT", {
      reason: `there is a deployment ${id} already`,
      path: "id",
      advice: "Update it, deprovision it first, or choose another id",
    });
  }
  if (kind !== "provision" && kind !== "deprovision" && isGoing) {
    throw new OperationError("CONFLICT", { reason: `deployment ${id} is being deprovisioned`, path: "id" });
  }
  if (kind === "deprovision" && before?.protected === true) {
    throw new OperationError("PROTECTED", {
      reason: `deployment ${id} is protected from deletion`,
      path: "id",
      advice: "Remove the protection first",
    });
  }
}

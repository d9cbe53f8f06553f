import type { OperationRow, OperationState as OurState, StoredError } from "../../database/tables";
import { KINDS, upgradesKyma } from "../../kinds/kinds";
import type { LastError, OperationState } from "../schema.types";
import { componentOf, reasonOf } from "./errors";

/* Converts an operation to the terms of the runtime API. Pure. */

type Asked = Pick<OperationRow, "kind" | "change">;

/** The runtime API has no pending state, so a pending operation is shown as in progress. */
const STATES: Readonly<Record<OurState, OperationState>> = {
  pending: "InProgress",
  in_progress: "InProgress",
  succeeded: "Succeeded",
  failed: "Failed",
  canceled: "Failed",
  replaced: "Failed",
};

export const stateOf = ({ state }: Pick<OperationRow, "state">): OperationState => STATES[state];

export function messageOf({ kind, change, state, stage, message }: Asked & Message): string {
  const { started, stages } = KINDS[kind].runtimes;
  switch (state) {
    case "pending":
      return upgradesKyma({ kind, change }) ? "Starting Kyma upgrade" : started;
    case "in_progress":
      return `Operation in progress. Stage ${stages[stage ?? ""] ?? stage}`;
    case "succeeded":
      return "Operation succeeded";
    case "failed":
    case "canceled":
    case "replaced":
      return message;
  }
}

type Message = Pick<OperationRow, "state" | "stage" | "message">;

/** Returns empty strings if there is no error, as the Kyma Runtime Provisioner does. */
export function lastErrorOf(error: StoredError | null): LastError {
  if (error === null) return { errMessage: "", reason: "", component: "" };
  return { errMessage: error.reason, reason: reasonOf(error), component: componentOf(error) };
}

import type { OperationKind, OperationRow, OperationState as OurState, StoredError } from "../../database/tables";
import type { LastError, OperationState, OperationType } from "../schema.types";
import { componentOf, reasonOf } from "./errors";

/* Converts an operation to the terms of the runtime API. Pure. */

type Asked = Pick<OperationRow, "kind" | "change">;

/** `hasKyma`: whether the stored runtime has Kyma. */
export function operationType({ kind, change }: Asked, hasKyma: boolean): OperationType {
  const { cluster, kyma } = change.deployment;
  switch (kind) {
    case "provision":
      return kyma === undefined ? "ProvisionNoInstall" : "Provision";
    case "deprovision":
      return hasKyma ? "Deprovision" : "DeprovisionNoInstall";
    case "hibernate":
      return "Hibernate";
    case "wake":
      return "Wake";
    case "refresh":
      return "ReconnectRuntime";
    case "update":
    case "move":
      return kyma !== undefined && cluster === undefined ? "Upgrade" : "UpgradeShoot";
  }
}

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

const STARTED: Readonly<Record<OperationKind, string>> = {
  provision: "Provisioning started",
  deprovision: "Deprovisioning started",
  hibernate: "Starting hibernation",
  wake: "Starting to wake up",
  refresh: "Starting to configure the Runtime Agent",
  update: "Starting Gardener Shoot upgrade",
  move: "Starting Gardener Shoot upgrade",
};

export function messageOf({ kind, change, state, stage, message }: Asked & Message): string {
  switch (state) {
    case "pending":
      return operationType({ kind, change }, true) === "Upgrade" ? "Starting Kyma upgrade" : STARTED[kind];
    case "in_progress":
      return `Operation in progress. Stage ${STAGES[kind][stage ?? ""] ?? stage}`;
    case "succeeded":
      return "Operation succeeded";
    case "failed":
    case "canceled":
    case "replaced":
      return message;
  }
}

/** Stage names of the Kyma Runtime Provisioner for runs of the engine. */
const named = (apply: string) => ({ settle: apply, apply, destroy: apply });
const STAGES: Readonly<Record<OperationKind, Readonly<Record<string, string>>>> = {
  provision: named("WaitingForClusterDomain"),
  update: named("WaitingForShootNewVersion"),
  move: named("WaitingForShootNewVersion"),
  hibernate: named("WaitForHibernation"),
  wake: named("WaitForHibernation"),
  refresh: named("ConnectRuntimeAgent"),
  deprovision: { settle: "DeprovisionCluster", destroy: "WaitForClusterDeletion" },
};

type Message = Pick<OperationRow, "state" | "stage" | "message">;

/** Returns empty strings if there is no error, as the Kyma Runtime Provisioner does. */
export function lastErrorOf(error: StoredError | null): LastError {
  if (error === null) return { errMessage: "", reason: "", component: "" };
  return { errMessage: error.reason, reason: reasonOf(error), component: componentOf(error) };
}

import type { RuntimeChange, RuntimeConfig } from "../../engine/stack/change";
import type { OperationError } from "./error";

/** A request with the values that its operation would use. */
export interface CheckedRequest {
  /** Id in the API; error messages use it. */
  readonly deployment: string;
  readonly change: RuntimeChange;
  /** The desired config after the request. */
  readonly desiredConfig: RuntimeConfig;
  /** Current provisioner of the deployment. */
  readonly provisioner: string | null;
}

/** Returns why the operation would reject a request as invalid; undefined if it would not, or if this is unknown. */
export type RequestCheck = (asked: CheckedRequest) => Promise<OperationError | undefined>;

/** A request for a new runtime that uses a kept disk. */
export interface DiskRequest {
  readonly tenant: string;
  /** `claim` or `namespace/claim`. */
  readonly disk: string;
  readonly deployment: string;
  readonly desiredConfig: RuntimeConfig;
}

/** Returns why a new runtime may not use a kept disk; undefined if it may. */
export type DiskCheck = (asked: DiskRequest) => Promise<OperationError | undefined>;

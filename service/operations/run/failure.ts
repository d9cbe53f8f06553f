import { isDatabaseUnavailable } from "../../../foundation/net/unavailable";
import { failureKind, messageOf } from "../../../foundation/errors";
import type { OperationRow, StoredError } from "../../database/tables";
import type { Broken } from "../../../engine/workers/engineWorker";
import { OperationError } from "../error";
import { classify, type Failure } from "./classify";

/** Failure of a stage, and whether it is transient. */
export class StageFailure extends Error {
  override readonly name = "StageFailure";

  constructor(readonly failure: Failure) {
    super(failure.error.message, { cause: failure.error });
  }
}

/** A run of the engine without a result. A crash is transient; a timeout or excessive memory use is not. */
export function brokenFailure({ broken, reason }: Broken): StageFailure {
  if (broken === "timeout") {
    const advice = "See why it hangs in its events, then retry the operation";
    return new StageFailure({
      error: new OperationError("TIMEOUT", { reason, component: "engine", advice }),
      passes: false,
    });
  }
  const code = broken === "memory" ? "PROVISIONING_FAILED" : "UNAVAILABLE";
  const error = new OperationError(code, { reason, component: "engine", retryable: true });
  return new StageFailure({ error, passes: broken !== "memory" });
}

/**
 * Converts any error of a stage to a failure. A bug of the service is permanent, and is reported without its stack
 * trace.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof StageFailure) return error.failure;
  if (error instanceof OperationError) return { error, passes: error.retryable };
  if (isDatabaseUnavailable(error)) {
    const reason = "the database does not answer";
    return {
      error: new OperationError("UNAVAILABLE", { reason, component: "database" }, { cause: error }),
      passes: true,
    };
  }
  const known = classify([messageOf(error)], failureKind(error));
  if (known.passes) return known;
  const reason = `unexpected error in the service: ${messageOf(error).split("\n")[0]}`;
  return { error: new OperationError("INTERNAL", { reason, retryable: false }, { cause: error }), passes: false };
}

/** Another version of the service started the operation, with a stage that this version does not know. */
export function unknownStage({ stage }: Pick<OperationRow, "stage">): OperationError {
  const reason = `stage ${stage} is unknown to this version of the service`;
  return new OperationError("INTERNAL", {
    reason,
    component: "service",
    advice: "Retry the operation",
    retryable: true,
  });
}

export function timeout({ name }: { readonly name: string }, last: StoredError | null): OperationError {
  const why = last === null ? "" : `; the last try failed: ${last.reason}`;
  return new OperationError("TIMEOUT", {
    reason: `stage ${name} did not end in time${why}`,
    component: last?.component,
    advice: "Remove the cause, then retry the operation",
    retryable: false,
  });
}

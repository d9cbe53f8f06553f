/** Converts errors to the text that the engine and the user see. */

import { AssertionError } from "node:assert";
import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { Any, ErrorResourceInitFailed, Status } from "../../foundation/pulumi/protocol/plugin";
import { IncompleteError } from "../../foundation/pulumi/resource";
import { encode } from "../../foundation/pulumi/protocol/values";

/** Errors that the JavaScript runtime throws for bugs in our code, never for faults that a user can fix. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError, AssertionError];

/** Returns the message alone for errors that a user can fix, and the stack for bugs. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (BUGS.some((kind) => error instanceof kind)) {
    return `this is a bug in the stackyard provider; please report it with this trace:\n${error.stack ?? error.message}`;
  }
  // A connection attempt to several addresses fails with one aggregate error without a message.
  if (error instanceof AggregateError && error.message === "") {
    return error.errors.map((one: unknown) => describeError(one)).join("; ");
  }
  return error.message === "" ? error.name : error.message;
}

/**
 * Converts an error to gRPC. The code says whether resources may have changed: no after a rejection, possibly after a
 * bug; an {@link IncompleteError} includes the state that exists.
 */
export function toServiceError(error: unknown, secrets: readonly string[] = [], inputs?: object): ServiceError {
  const message = describeError(error);
  if (error instanceof IncompleteError) return partial(message, error, secrets, inputs);
  if (error instanceof Error && error.name === "AbortError") {
    return serviceError(status.CANCELLED, "stopped, because the update was canceled");
  }
  const bug = !(error instanceof Error) || BUGS.some((kind) => error instanceof kind);
  return serviceError(bug ? status.INTERNAL : status.FAILED_PRECONDITION, message);
}

/** Error for a request that the engine should not have sent. */
export function protocolError(code: status, message: string): ServiceError {
  return serviceError(code, message);
}

function partial(message: string, error: IncompleteError, secrets: readonly string[], inputs?: object): ServiceError {
  const failed = new ErrorResourceInitFailed();
  failed.setId(error.id);
  failed.setProperties(encode(error.state, secrets, inputs));
  failed.setReasonsList([message]);
  if (inputs) failed.setInputs(encode(inputs, secrets, inputs));
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = new Status();
  details.setCode(status.UNKNOWN);
  details.setMessage(message);
  details.addDetails(detail);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
  return serviceError(status.UNKNOWN, message, metadata);
}

function serviceError(code: status, details: string, metadata = new Metadata()): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata });
}

import assert from "node:assert/strict";
import { OperationError } from "../../service/operations";

/** The error with which a request is refused. Fails if it is accepted. */
export const refusal = (work: Promise<unknown>): Promise<OperationError> =>
  work.then(
    () => assert.fail("it was accepted"),
    (error: unknown) => (error instanceof OperationError ? error : assert.fail(String(error))),
  );

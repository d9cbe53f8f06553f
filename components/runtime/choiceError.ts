import type { FailureKind } from "../../foundation/errors";

/** No provisioner can be chosen. The message states what to do. */
export class ChoiceError extends Error {
  /** `path`: the field of the deployment that causes the error, if any. */
  constructor(
    message: string,
    readonly kind: Extract<FailureKind, "input" | "move" | "platform" | "protected"> = "input",
    readonly path?: string,
  ) {
    super(message);
    this.name = "ChoiceError";
  }
}

import type { FailureKind } from "../../foundation/errors";

/** The choice of a provisioner cannot be made as things stand; the message says what to do. */
export class ChoiceError extends Error {
  /** `path` is that of the field of the deployment that asks for it, where one does. */
  constructor(
    message: string,
    readonly kind: Extract<FailureKind, "input" | "move" | "platform"> = "input",
    readonly path?: string,
  ) {
    super(message);
    this.name = "ChoiceError";
  }
}

import * as pulumi from "@pulumi/pulumi";
import { failureKind, type FailureKind } from "../foundation/errors";

/**
 * An error that the engine prints without a stack trace. `kind` states its cause to a command that runs the program
 * inline.
 */
export class Refusal extends pulumi.RunError {
  readonly kind?: FailureKind;

  constructor(message: string, kind: FailureKind | undefined) {
    super(message);
    this.kind = kind;
  }
}

export const runRefusal = (error: Error): Refusal => new Refusal(error.message, failureKind(error));

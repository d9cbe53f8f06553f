/** A question that a program asks without making a resource: a Pulumi function. */

export interface Question {
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  /** Prints a line of the update. */
  log(severity: "info" | "warning", message: string): void;
}

/** `A` are its arguments as the program gives them, `R` is what it gets. Changes nothing. */
export type FunctionHandler<A extends object, R extends object> = (question: Question, args: A) => Promise<R>;

/** Context of a Pulumi function, which a program calls without creating a resource. */

export interface Question {
  /** Name of the state backend, see foundation/pulumi/backend.ts. */
  readonly backend: string;
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  /** Logs a line of the update. */
  log(severity: "info" | "warning", message: string): void;
}

/** Handler of a function: `A` are its arguments, `R` is its result. It changes nothing. */
export type FunctionHandler<A extends object, R extends object> = (question: Question, args: A) => Promise<R>;

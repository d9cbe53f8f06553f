export type Doc = Record<string, unknown>;

/** An answer that is an error, as a master words it. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

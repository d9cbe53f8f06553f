export type Doc = Record<string, unknown>;

/** An error response in the words of a master. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A violation found in a resource or in one of its policy documents. */
export interface Finding {
  /** The affected part: an object in a set, or a statement in a document. Empty for the resource itself. */
  readonly part: string;
  /** What was found and what is expected instead. */
  readonly message: string;
}

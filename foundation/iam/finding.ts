/** What is wrong with a resource, or with a document of one. */
export interface Finding {
  /** The part of it: an object in a set, a statement in a document. Empty for the resource itself. */
  readonly part: string;
  /** What was found and what is expected instead. */
  readonly message: string;
}

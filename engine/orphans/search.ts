import { messageOf } from "../../foundation/errors";

/** A search of several places. */
export class Search {
  /** Places that could not be read, each with the reason. */
  readonly unseen: string[] = [];

  /** Undefined if the place can't be read, which does not end the search. */
  async look<T>(place: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.unseen.push(`${place}: ${messageOf(error)}`);
      return undefined;
    }
  }
}
